import { ApiError } from '@lilac/contract/client';

/** Whether the same question may be answered a moment later, though nobody has done anything about it. */
export function mayPass(error: unknown): boolean {
  if (error === null || error === undefined) return false;
  return !(error instanceof ApiError) || error.status >= 500 || error.status === 429;
}

const FIRST_MS = 1000;
const LONGEST_MS = 30_000;

/** How long to wait after so many failures in a row: ever longer, and never shorter than the platform asks for. */
export function pauseBeforeRetry(failures: number, error: unknown): number {
  const askedMs = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  return Math.max(askedMs, Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1)));
}

import { ApiError } from '@lilac/contract/client';

const FIRST_MS = 1000;
const LONGEST_MS = 30_000;

/** How long to wait after so many failures in a row: ever longer, and never shorter than the platform asks for. */
export function pauseBeforeRetry(failures: number, error: unknown): number {
  const askedMs = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  return Math.max(askedMs, Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1)));
}

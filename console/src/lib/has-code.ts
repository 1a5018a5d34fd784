import { ApiError } from '@lilac/contract/client';
import type { ErrorCode } from '@lilac/contract/errors';

/** Whether the platform refused with one of these codes. */
export function hasCode(error: unknown, ...codes: ErrorCode[]): boolean {
  return error instanceof ApiError && (codes as string[]).includes(error.code);
}

import { ApiError } from '@lilac/contract/client';

export interface ErrorText {
  message: string;
  /** What to quote when asking for help. */
  reference: string | null;
}

/** The API's messages are written for people, so they are shown as they are. */
export function describeError(error: unknown): ErrorText {
  if (error instanceof ApiError) return { message: error.message, reference: error.code };
  return { message: 'The platform does not answer. Check the connection and try again.', reference: null };
}

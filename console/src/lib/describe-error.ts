import { ApiError } from '@lilac/contract/client';

export interface ErrorText {
  message: string;
  /** What to quote when asking for help. */
  reference: string | null;
}

/** The API's messages are written for people, so they are shown as they are. */
export function describeError(error: unknown): ErrorText {
  if (!(error instanceof ApiError)) {
    return { message: 'The platform does not answer. Check the connection and try again.', reference: null };
  }
  const { message, code, errorId, retryAfterSeconds } = error;
  return {
    message: retryAfterSeconds === null ? message : sayWhen(message, retryAfterSeconds),
    reference: errorId ?? code,
  };
}

function sayWhen(message: string, seconds: number): string {
  const isLong = seconds > 90;
  const count = isLong ? Math.ceil(seconds / 60) : seconds;
  const wait = `Try again in ${count} ${isLong ? 'minute' : 'second'}${count === 1 ? '' : 's'}.`;
  return `${message.replace(/ *Try again (later|shortly)\.$/, '')} ${wait}`;
}

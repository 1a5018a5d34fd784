import { describeError, stackOf } from '../../lib/describe-error.ts';
import { redactText } from '../../lib/redact-secrets.ts';

/** Something that nobody expected, as it happened. */
export interface UnexpectedError {
  /** What the answer or the log calls it. */
  errorId: string;
  /** The endpoint or the kind of job. */
  origin: string;
  requestId: string | null;
  jobId: string | null;
  error: unknown;
}

/** The same as it is kept: text, without secrets, and not too long. */
export interface KeptError {
  id: string;
  role: string;
  origin: string;
  request_id: string | null;
  job_id: string | null;
  message: string;
  stack: string;
}

export const KEPT_ERRORS = 10_000;
export const KEPT_DAYS = 30;

const LONGEST_ORIGIN = 200;
const LONGEST_MESSAGE = 4000;
const LONGEST_STACK = 16_000;
/** More is not looked through. */
const LONGEST_READ = 64_000;

export function keptErrorOf({ errorId, origin, requestId, jobId, error }: UnexpectedError, role: string): KeptError {
  const described = describeError(error);
  return {
    id: errorId,
    role,
    origin: storable(origin, LONGEST_ORIGIN),
    request_id: requestId,
    job_id: jobId,
    message: storable(described.message || described.type, LONGEST_MESSAGE),
    stack: storable(stackOf(described), LONGEST_STACK),
  };
}

/** PostgreSQL has no zero character in its text, and half a character is none. */
function storable(text: string, longest: number): string {
  return redactText(text.slice(0, LONGEST_READ)).replaceAll('\0', '\uFFFD').slice(0, longest).toWellFormed();
}

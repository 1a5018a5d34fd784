import { errorCatalogue, type ErrorCode } from '@lilac/contract/errors';
import { Fault, invalid } from '../lib/fault.ts';
import { newId } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import type { UnexpectedError } from '../modules/platform/platform-error.ts';
import { HostUnavailable } from '../vcs/vcs-host.ts';
import { isStoreUnavailable } from '../db/store-unavailable.ts';

export interface ErrorAnswer {
  status: number;
  headers: Record<string, string>;
  body: Record<string, string>;
}

/** Which request failed, for the log. */
export interface FailedRequest {
  endpoint: string;
  requestId: string;
}

/** Where failures are written down. */
export interface ErrorBooks {
  log: Log;
  /** For those that nobody expected; left out, the log alone has them. */
  keepError?: (error: UnexpectedError) => void;
}

/** Turns whatever was thrown into what the caller may read; the rest is for the operator. */
export function answerError(error: unknown, request: FailedRequest, books: ErrorBooks): ErrorAnswer {
  const fault = error instanceof Fault ? error : (knownFault(error) ?? unexpected(error, request, books));
  const { status } = errorCatalogue[fault.code];
  const { detail, retryAfterSeconds, fields } = fault.options;
  if (detail !== undefined) books.log.info({ ...request, code: fault.code, detail }, fault.message);
  return {
    status,
    headers: headersOf(status, retryAfterSeconds),
    body: { ...fields, message: fault.message, code: fault.code },
  };
}

function headersOf(status: number, retryAfterSeconds: number | undefined): Record<string, string> {
  if (status === 401) return { 'www-authenticate': 'Bearer realm="lilac"' };
  if (retryAfterSeconds !== undefined) return { 'retry-after': String(retryAfterSeconds) };
  return status === 503 ? { 'retry-after': '1' } : {};
}

const BY_STATUS: Partial<Record<number, ErrorCode>> = { 404: 'NF002', 413: 'LM001', 415: 'MT002' };

/** Admission saw the organisation, and somebody deleted it before the row was written. */
const FOREIGN_KEY_VIOLATION = '23503';

/** What the web framework gives to a failure of reading the body that has no status of its own. */
const BODY_FAILED = 400;

/**
 * Faults of the web framework (a broken address, a body too large), of who left while they sent, of a store and of a
 * repository host that is away.
 */
function knownFault(error: unknown): Fault | null {
  if (error instanceof HostUnavailable) {
    return new Fault('SV002', error.message, { retryAfterSeconds: Math.max(1, Math.ceil(error.retryAfterSeconds)) });
  }
  if (isStoreUnavailable(error)) return new Fault('SV002', undefined, { retryAfterSeconds: 1, detail: String(error) });
  const { code, statusCode } = (error ?? {}) as { code?: unknown; statusCode?: unknown };
  if (code === FOREIGN_KEY_VIOLATION) return new Fault('NF001', 'What this belongs to was deleted a moment ago.');
  if (code === 'ECONNRESET' && statusCode === BODY_FAILED) return invalid('The body ended before it was complete.');
  if (typeof code !== 'string' || !code.startsWith('FST_') || typeof statusCode !== 'number') return null;
  if (statusCode < 400 || statusCode >= 500) return null;
  return new Fault(BY_STATUS[statusCode] ?? 'VA001');
}

function unexpected(error: unknown, request: FailedRequest, { log, keepError }: ErrorBooks): Fault {
  const errorId = newId('err');
  log.error({ ...request, errorId, err: error }, 'a request failed unexpectedly');
  const { endpoint: origin, requestId } = request;
  keepError?.({ errorId, origin, requestId, jobId: null, error });
  return new Fault('SV001', undefined, { fields: { errorId } });
}

import { errorCatalogue, type ErrorCode } from '@lilac/contract/errors';

export interface FaultOptions {
  /** For the log only; the caller never sees it. */
  detail?: unknown;
  cause?: unknown;
  retryAfterSeconds?: number;
  /** Further fields of the answer, for protocols with an error shape of their own (RFC 6749). */
  fields?: Record<string, string>;
}

/**
 * A failure that the caller may read about. Its message is for the caller, its detail for the log,
 * and its code stands in place of an HTTP status, which only the http layer knows.
 */
export class Fault extends Error {
  readonly code: ErrorCode;
  readonly options: FaultOptions;

  constructor(code: ErrorCode, message?: string, options: FaultOptions = {}) {
    super(message ?? errorCatalogue[code].message, { cause: options.cause });
    this.name = 'Fault';
    this.code = code;
    this.options = options;
  }
}

export const notFound = (what: string): Fault => new Fault('NF001', `${what} not found.`);
export const invalid = (message: string): Fault => new Fault('VA001', message);
export const endedSession = (): Fault => new Fault('CA002', 'This session has ended. Sign in again.');
export const conflict = (message: string): Fault => new Fault('CF001', message);

/** fetch says only that it failed; the reason is in the cause. */
export function isConnectionFailure(error: unknown): error is TypeError & { cause: NodeJS.ErrnoException } {
  return error instanceof TypeError && error.cause instanceof Error;
}

/** Somebody was there, and took the question. */
const CUT_OFF = new Set([
  'UND_ERR_SOCKET',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'ECONNRESET',
  'EPIPE',
]);

/** The connection was there, and ended before the answer did: a restart, a proxy that waits no longer, a broken line. */
export function isCutOff(error: unknown): error is TypeError & { cause: NodeJS.ErrnoException } {
  return isConnectionFailure(error) && CUT_OFF.has(error.cause.code ?? '');
}

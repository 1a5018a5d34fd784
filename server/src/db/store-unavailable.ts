import { isOutdated } from './pool.ts';

/** Too many connections; shutting down; crashed; starting up; the connection broke; a transaction was left alone for long. */
const STORE_STATES = /^(53300|57P0[123]|08\w{3}|25P03)$/;

/** What the system says of a socket; the same codes of a file are a mistake of ours. */
const SOCKET_CALLS = ['connect', 'read', 'write', 'getaddrinfo'];
const SOCKET_CODES = /^(ECONN\w+|ENOENT|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;

/** The driver gives these without a code. */
const MESSAGES =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered)/;

/** Tells a store that cannot be reached, which passes, from a mistake of ours, which does not. */
export function isStoreUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isStoreUnavailable);
  const { code = '', syscall = '' } = error as { code?: string; syscall?: string };
  if (STORE_STATES.test(code) || (SOCKET_CODES.test(code) && SOCKET_CALLS.includes(syscall))) return true;
  // What was prepared is outdated for a moment while the store is upgraded.
  return MESSAGES.test(error.message) || isOutdated(error);
}

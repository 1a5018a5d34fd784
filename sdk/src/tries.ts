import { ApiError } from '@lilac/contract/client';

const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 5000;

/** How often something is tried again while the platform is away: until a time is over, less and less often. */
export class Tries {
  readonly #deadlineMs: number;
  readonly #signal: AbortSignal | undefined;
  #pauseMs = FIRST_PAUSE_MS;

  constructor(forMs: number, signal?: AbortSignal) {
    this.#deadlineMs = Date.now() + forMs;
    this.#signal = signal;
  }

  /** Waits for the next try; throws the failure when there is none. */
  async waitAfter(failure: unknown): Promise<void> {
    const asked = failure instanceof ApiError ? (failure.retryAfterSeconds ?? 0) * 1000 : 0;
    const pauseMs = Math.max(asked, this.#pauseMs * (0.5 + Math.random() / 2));
    if (Date.now() + pauseMs > this.#deadlineMs) throw failure;
    this.#pauseMs = Math.min(this.#pauseMs * 2, MAX_PAUSE_MS);
    await pause(pauseMs, this.#signal);
  }
}

/** Rejects with the signal's reason when it is aborted meanwhile. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    // What it rejects with is whatever the caller aborted with, as everywhere.
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors
    const fail = () => reject(signal?.reason);
    if (signal?.aborted) return fail();
    const abort = () => {
      clearTimeout(timer);
      fail();
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** Nobody answered, or somebody between says that nobody does. Whether the call arrived is not known. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ApiError) return error.status === 502 || error.status === 503;
  return isNetworkFailure(error);
}

/** `fetch` tells every failure of the network as a TypeError, here and in browsers. */
function isNetworkFailure(error: unknown): boolean {
  return error instanceof TypeError && !NOT_FOUND.has(causeOf(error));
}

/** The connection never came to be, so nothing was sent on it. Browsers do not tell. */
export function isNothingSent(error: unknown): boolean {
  return error instanceof TypeError && UNCONNECTED.has(causeOf(error));
}

const UNCONNECTED = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);
/** A name that does not exist is misspelt, and will not come by waiting. */
const NOT_FOUND = new Set(['ENOTFOUND', 'ERR_INVALID_URL']);

function causeOf(error: Error): string {
  return (error.cause as { code?: string } | undefined)?.code ?? '';
}

import { retryDelayMs } from '../../../jobs/job.ts';

/** How a host that does not answer has been asked so far. */
export interface Failing {
  /** Milliseconds since 1970. */
  since: number;
  tries: number;
}

const BACKOFF = { firstMs: 10_000, maxMs: 30 * 60_000 };
const GIVEN_UP_AFTER_MS = 24 * 60 * 60_000;

/**
 * How long to leave the host in peace, never shorter than it has asked for; null when it has been asked for long
 * enough. That it wants to be left for long is no reason to give up.
 */
export function nextTryMs(
  { since, tries }: Failing,
  { now, retryAfterSeconds }: { now: number; retryAfterSeconds: number },
): number | null {
  if (now - since >= GIVEN_UP_AFTER_MS) return null;
  return Math.max(retryAfterSeconds * 1000, retryDelayMs(tries, BACKOFF));
}

/** A first death is mended at once; one that keeps dying waits longer each time. */
export interface Backoff {
  /** How long to wait before starting again what has just ended. */
  delayAfter(uptimeMs: number): number;
}

const FIRST_DELAY_MS = 50;
const MAX_DELAY_MS = 5000;
/** Up this long, it counts as well again. */
const STABLE_MS = 10_000;

export function createBackoff(): Backoff {
  let failures = 0;
  return {
    delayAfter(uptimeMs) {
      failures = uptimeMs >= STABLE_MS ? 0 : failures;
      return Math.min(FIRST_DELAY_MS * 2 ** failures++, MAX_DELAY_MS);
    },
  };
}

/** How often something failed in a row, and when it may be tried again. */
export interface TryRecord {
  readonly count: number;
  readonly notBeforeMs: number;
  /** What was said the last time, for a person. */
  readonly words: string | null;
}

export const NO_TRIES: TryRecord = { count: 0, notBeforeMs: 0, words: null };

export interface Backoff {
  firstBackoffMs: number;
  longestBackoffMs: number;
}

/** The first failure may have been chance: it is tried again at once. After that each wait is twice the last. */
export function noteFailure(
  { count }: TryRecord,
  { nowMs, words, backoff }: { nowMs: number; words: string | null; backoff: Backoff },
): TryRecord {
  const waitMs = count === 0 ? 0 : Math.min(backoff.longestBackoffMs, backoff.firstBackoffMs * 2 ** (count - 1));
  return { count: count + 1, notBeforeMs: nowMs + waitMs, words };
}

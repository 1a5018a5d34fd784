/** What a process has done and held since it was last looked at. */
export interface Look {
  atMs: number;
  busyShare: number;
  heldBytes: number;
}

/** Less is not worth the while. */
const WORTH_BYTES = 6 * 1024 ** 2;
/** The process stands still meanwhile: never for more than this share of its time. */
const SHARE_OF_TIME = 1 / 500;

/** Decides when a process that rests should collect what it no longer needs. */
export class RestRule {
  readonly #restShare: number;
  /** The least that was held since it was last collected. */
  #leastBytes = Infinity;
  #notBeforeMs = 0;

  /** Who is busy for less than this share of its time waits for work. */
  constructor({ restShare }: { restShare: number }) {
    this.#restShare = restShare;
  }

  isDue({ atMs, busyShare, heldBytes }: Look): boolean {
    this.#leastBytes = Math.min(this.#leastBytes, heldBytes);
    const isWorthIt = heldBytes - this.#leastBytes >= WORTH_BYTES;
    return isWorthIt && busyShare < this.#restShare && atMs >= this.#notBeforeMs;
  }

  noteCollected({ atMs, tookMs }: { atMs: number; tookMs: number }): void {
    this.#notBeforeMs = atMs + tookMs / SHARE_OF_TIME;
    // What is held now is what it needs.
    this.#leastBytes = Infinity;
  }
}

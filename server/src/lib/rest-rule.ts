/** What a process has done and held since it was last looked at. */
export interface Look {
  atMs: number;
  busyShare: number;
  heldBytes: number;
}

export interface RestRuleOptions {
  /** Who is busy for less than this share of its time waits for work. */
  restShare: number;
  /** Less is not worth the while. */
  worthBytes?: number;
}

const WORTH_BYTES = 6 * 1024 ** 2;
/** The process stands still meanwhile: never for more than this share of its time. */
const SHARE_OF_TIME = 1 / 500;

/** Decides when a process that rests should collect what it no longer needs. */
export class RestRule {
  readonly #options: Required<RestRuleOptions>;
  /** The least that was held since it was last collected. */
  #leastBytes = Infinity;
  #notBeforeMs = 0;

  constructor({ restShare, worthBytes = WORTH_BYTES }: RestRuleOptions) {
    this.#options = { restShare, worthBytes };
  }

  isDue({ atMs, busyShare, heldBytes }: Look): boolean {
    this.#leastBytes = Math.min(this.#leastBytes, heldBytes);
    const isWorthIt = heldBytes - this.#leastBytes >= this.#options.worthBytes;
    return isWorthIt && busyShare < this.#options.restShare && atMs >= this.#notBeforeMs;
  }

  noteCollected({ atMs, tookMs }: { atMs: number; tookMs: number }): void {
    this.#notBeforeMs = atMs + tookMs / SHARE_OF_TIME;
    // What is held now is what it needs.
    this.#leastBytes = Infinity;
  }
}

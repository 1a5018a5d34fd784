/** Somebody who leaves a page takes back what it asked for, all at once. */
const MOST_AT_ONCE = 500;
const PER_SECOND = 20;

/** How much more a client may ask for in vain: what is refused, taken back or broken costs us more than it. */
export class Patience {
  #left = MOST_AT_ONCE;
  #countedAt: number;

  constructor(now: number) {
    this.#countedAt = now;
  }

  /** False: it is at its end. Times are in milliseconds. */
  use(now: number): boolean {
    const earned = ((now - this.#countedAt) / 1000) * PER_SECOND;
    this.#countedAt = now;
    this.#left = Math.min(MOST_AT_ONCE, this.#left + Math.max(0, earned)) - 1;
    return this.#left >= 0;
  }
}

/** Some thirty short redirects, or one that becomes very long. */
const MOST = 64 * 1024;
/** What a visitor wrote, a dozen redirects may take along. */
const PER_CHARACTER = 64;

/**
 * How much may be done for one request in filling in redirects: what a site's owner and a visitor think up together is
 * no reason for others to wait. When it is spent, no rule applies any more.
 */
export class Effort {
  #left: number;

  constructor(path: string) {
    this.#left = MOST + PER_CHARACTER * path.length;
  }

  /** Whether there was that much left. */
  spend(amount: number): boolean {
    this.#left -= amount;
    return this.#left >= 0;
  }

  get isSpent(): boolean {
    return this.#left < 0;
  }
}

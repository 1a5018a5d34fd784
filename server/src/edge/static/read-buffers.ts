const LARGE_BYTES = 128 * 1024;
const SMALL_BYTES = 16 * 1024;
/** What large buffers may take together; with more readers than that, each reads in smaller pieces. */
const LARGE_BUDGET_BYTES = 32 * 1024 * 1024;
const MAX_SPARE = 32;

/** Buffers for reading large files, used again and again, so that slow readers hold little memory. */
export class ReadBuffers {
  readonly #spare: Buffer[] = [];
  #largeInUse = 0;

  take(): Buffer {
    if (this.#largeInUse >= LARGE_BUDGET_BYTES / LARGE_BYTES) return Buffer.allocUnsafeSlow(SMALL_BYTES);
    this.#largeInUse++;
    return this.#spare.pop() ?? Buffer.allocUnsafeSlow(LARGE_BYTES);
  }

  /** Only when nobody reads or writes it any more. */
  giveBack(buffer: Buffer): void {
    if (buffer.length !== LARGE_BYTES) return;
    this.#largeInUse--;
    if (this.#spare.length < MAX_SPARE) this.#spare.push(buffer);
  }
}

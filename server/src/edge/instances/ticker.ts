/** Something that wants to be called when a time has come. */
export interface Ticking {
  /** Does what is due, and says when it wants to be called again; Infinity: not before it asks. */
  tick(nowMs: number): number;
}

/** One timer for all who wait, however many. */
export class Ticker {
  readonly #due = new Map<Ticking, number>();
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Infinity;

  /**
   * Calls it at this time, by `performance.now()`, or earlier if it has asked for that before. Infinity asks for
   * nothing.
   */
  call(ticking: Ticking, atMs: number): void {
    if (atMs === Infinity) return;
    const before = this.#due.get(ticking);
    if (before !== undefined && before <= atMs) return;
    this.#due.set(ticking, atMs);
    if (atMs < this.#timerAt) this.#arm(atMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#due.clear();
  }

  #arm(atMs: number): void {
    clearTimeout(this.#timer);
    this.#timerAt = atMs;
    this.#timer = setTimeout(() => this.#fire(), Math.max(1, Math.ceil(atMs - performance.now()))).unref();
  }

  #fire(): void {
    this.#timerAt = Infinity;
    const now = performance.now();
    const due = [...this.#due].filter(([, atMs]) => atMs <= now);
    for (const [ticking] of due) {
      // Away first, so that what it asks for meanwhile counts.
      this.#due.delete(ticking);
      this.call(ticking, ticking.tick(now));
    }
    const next = Math.min(Infinity, ...this.#due.values());
    if (next < this.#timerAt) this.#arm(next);
  }
}

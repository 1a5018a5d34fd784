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

  /** Calls it at this time, by `performance.now()`, or earlier if it has asked for that before. */
  call(ticking: Ticking, atMs: number): void {
    const before = this.#due.get(ticking);
    if (before !== undefined && before <= atMs) return;
    this.#due.set(ticking, atMs);
    if (atMs < this.#timerAt) this.#arm(atMs);
  }

  forget(ticking: Ticking): void {
    this.#due.delete(ticking);
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
    for (const [ticking, atMs] of [...this.#due]) {
      if (atMs > now) continue;
      // Away first, so that what it asks for meanwhile counts.
      this.#due.delete(ticking);
      const next = ticking.tick(now);
      if (next < Infinity) this.call(ticking, next);
    }
    const next = Math.min(Infinity, ...this.#due.values());
    if (next < this.#timerAt) this.#arm(next);
  }
}

import type { Waiter } from './gate.ts';

/** Who waits for an instance, first come, first served; with the time until which each waits. */
export class WaitingLine {
  readonly #line = new Map<Waiter, number>();
  /** Those who had a place and lost it: they come before all others. */
  readonly #returned = new Map<Waiter, number>();

  get size(): number {
    return this.#line.size + this.#returned.size;
  }

  add(waiter: Waiter, untilMs: number): void {
    this.#line.set(waiter, untilMs);
  }

  putFirst(waiter: Waiter, untilMs: number): void {
    this.#returned.set(waiter, untilMs);
  }

  /** False when it was not there. */
  remove(waiter: Waiter): boolean {
    return this.#line.delete(waiter) || this.#returned.delete(waiter);
  }

  takeFirst(): { waiter: Waiter; untilMs: number } | null {
    const from = this.#returned.size > 0 ? this.#returned : this.#line;
    for (const [waiter, untilMs] of from) {
      from.delete(waiter);
      return { waiter, untilMs };
    }
    return null;
  }

  takeAll(): Waiter[] {
    const all = [...this.#returned.keys(), ...this.#line.keys()];
    this.#returned.clear();
    this.#line.clear();
    return all;
  }

  /** Takes out those whose time is over. */
  takeOverdue(nowMs: number): Waiter[] {
    const overdue: Waiter[] = [];
    for (const [waiter, untilMs] of this.#returned) if (untilMs <= nowMs) overdue.push(waiter);
    // Whoever came later also waits longer.
    for (const [waiter, untilMs] of this.#line) {
      if (untilMs > nowMs) break;
      overdue.push(waiter);
    }
    for (const waiter of overdue) this.remove(waiter);
    return overdue;
  }

  /** When the next one's time is over; Infinity when nobody waits. */
  get nextEndMs(): number {
    const [first = Infinity] = this.#line.values();
    return Math.min(first, ...this.#returned.values());
  }
}

import { Counters, type AnswerCounts } from './counters.ts';

/** Everything that this edge has counted since it started. Numbers only grow. */
export interface TrafficTotals {
  answers: Readonly<AnswerCounts>;
  bytesIn: number;
  bytesOut: number;
}

/** Counts what the environments of one edge have to do. */
export class Traffic {
  /** Those that were asked for since the last `forgetQuiet`. */
  readonly #counters = new Map<string, Counters>();
  #changed: Counters[] = [];
  readonly #answers: AnswerCounts = [0, 0, 0, 0, 0, 0];
  #bytesIn = 0;
  #bytesOut = 0;

  of(environmentId: string): Counters {
    const known = this.#counters.get(environmentId);
    if (known) return known;
    const counters = new Counters(environmentId, this.#noteChange);
    this.#counters.set(environmentId, counters);
    return counters;
  }

  /**
   * Shows what was counted since the last time, and begins anew. An environment may come more than once: a
   * request that takes long goes on counting where it began, though its environment was forgotten meanwhile.
   */
  drain(take: (counters: Counters) => void): void {
    const changed = this.#changed;
    this.#changed = [];
    for (const counters of changed) {
      take(counters);
      counters.answers.forEach((count, digit) => (this.#answers[digit]! += count));
      this.#bytesIn += counters.bytesIn;
      this.#bytesOut += counters.bytesOut;
      counters.empty();
    }
  }

  /** Nothing is kept of environments that nobody asks for. */
  forgetQuiet(): void {
    this.#counters.clear();
  }

  totals(): TrafficTotals {
    const answers: AnswerCounts = [...this.#answers];
    let [bytesIn, bytesOut] = [this.#bytesIn, this.#bytesOut];
    for (const counters of this.#changed) {
      counters.answers.forEach((count, digit) => (answers[digit]! += count));
      bytesIn += counters.bytesIn;
      bytesOut += counters.bytesOut;
    }
    return { answers, bytesIn, bytesOut };
  }

  readonly #noteChange = (counters: Counters): void => void this.#changed.push(counters);
}

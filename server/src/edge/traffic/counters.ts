import { latencyBucket, newHistogram, type Histogram } from '../../metrics/latency-histogram.ts';

/** By the first digit of the status; the first is for clients that were gone before they were answered. */
export type AnswerCounts = [gone: number, number, number, number, number, number];

/** What the address of one environment has had to do since this was last emptied. Notes allocate nothing. */
export class Counters {
  readonly environmentId: string;
  readonly answers: AnswerCounts = [0, 0, 0, 0, 0, 0];
  bytesIn = 0;
  bytesOut = 0;
  /** How long it took from a request's head to that of its answer, or until the client went; null for none yet. */
  latencies: Histogram | null = null;
  readonly #onChange: (counters: Counters) => void;
  #isChanged = false;

  /** Is told of the first note after it was emptied. */
  constructor(environmentId: string, onChange: (counters: Counters) => void) {
    this.environmentId = environmentId;
    this.#onChange = onChange;
  }

  /** An answer has begun. A request is counted then, however long the rest of it takes. */
  noteAnswer(status: number, ms: number): void {
    this.#noteChange();
    const digit = (status / 100) | 0;
    this.answers[digit >= 1 && digit <= 5 ? digit : 0]!++;
    this.#noteLatency(ms);
  }

  /** The client was gone before it was answered, after so long: an application that hangs must not look quick. */
  noteGone(ms: number): void {
    this.#noteChange();
    this.answers[0]++;
    this.#noteLatency(ms);
  }

  noteBytes(bytesIn: number, bytesOut: number): void {
    this.#noteChange();
    this.bytesIn += bytesIn;
    this.bytesOut += bytesOut;
  }

  /** One that was given in the turn in which it was asked for: it took less than can be told apart. */
  noteAtOnce(status: number, bytesIn: number, bytesOut: number): void {
    this.noteAnswer(status, 0);
    this.noteBytes(bytesIn, bytesOut);
  }

  get requests(): number {
    const [gone, one, two, three, four, five] = this.answers;
    return gone + one + two + three + four + five;
  }

  empty(): void {
    this.answers.fill(0);
    this.bytesIn = this.bytesOut = 0;
    this.latencies?.fill(0);
    this.#isChanged = false;
  }

  #noteLatency(ms: number): void {
    // Most environments sleep most of the time: they need no histogram.
    this.latencies ??= newHistogram();
    this.latencies[latencyBucket(ms)]!++;
  }

  #noteChange(): void {
    if (this.#isChanged) return;
    this.#isChanged = true;
    this.#onChange(this);
  }
}

import type { LogBuffer, LogLine } from '../../../parts/log-view-buffer.ts';

/** Between a stream and what shows it: while it is paused, lines wait here and are counted. */
export class LogFeed {
  readonly #log: Pick<LogBuffer, 'append'>;
  readonly #maxWaiting: number;
  #waiting: LogLine[] | null = null;
  #came = 0;

  constructor(log: Pick<LogBuffer, 'append'>, maxWaiting: number) {
    this.#log = log;
    this.#maxWaiting = maxWaiting;
  }

  /** How many came since it was paused. */
  get waiting(): number {
    return this.#came;
  }

  add(line: LogLine): void {
    if (!this.#waiting) return this.#log.append([line]);
    this.#came++;
    this.#waiting.push(line);
    // More than is shown need not be kept.
    if (this.#waiting.length > this.#maxWaiting * 1.1) this.#waiting = this.#waiting.slice(-this.#maxWaiting);
  }

  pause(): void {
    this.#waiting ??= [];
  }

  goOn(): void {
    if (this.#waiting) this.#log.append(this.#waiting);
    this.#waiting = null;
    this.#came = 0;
  }
}

import type { LogBuffer, LogLine } from '../../../parts/log-view/buffer.ts';
import { countLines, takeCounted } from './log-request.ts';

/** Between a stream and what shows it: while it is paused, lines wait here and are counted. */
export class LogFeed {
  readonly #log: Pick<LogBuffer, 'append'>;
  readonly #maxWaiting: number;
  #waiting: LogLine[] | null = null;
  #came = 0;
  #expected = new Map<string, number>();

  constructor(log: Pick<LogBuffer, 'append'>, maxWaiting: number) {
    this.#log = log;
    this.#maxWaiting = maxWaiting;
  }

  /** How many came since it was paused. */
  get waiting(): number {
    return this.#came;
  }

  /** What was looked up before the stream came with the same lines. */
  leaveOut(lines: readonly LogLine[]): void {
    this.#expected = countLines(lines);
  }

  add(line: LogLine): void {
    if (takeCounted(this.#expected, line)) return;
    if (!this.#waiting) {
      this.#log.append([line]);
      return;
    }
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

import type { LogBuffer, LogLine } from '../../../parts/log-view/buffer.ts';
import { inOrderOfTime } from '../../../parts/log-view/place-by-time.ts';
import { countLines, takeCounted } from './log-request.ts';

/** What comes within so long is put in order before it is shown; nobody sees so short a wait. */
const GATHER_MS = 100;
/** A line that is that much later than the last one shown is put in its place; others would be out of sight there. */
const LATE_MS = 5000;

interface LogFeedOptions {
  maxWaiting: number;
  /** When to show what has come. */
  schedule?: (work: () => void) => void;
  /** When somebody began to look. */
  openedMs?: number;
}

/**
 * Between a stream and what shows it. Lines come in the order of storing, which is not that of time where several
 * write, and are shown in that of time. While it is paused, they wait here and are counted.
 */
export class LogFeed {
  readonly #log: Pick<LogBuffer, 'insert'>;
  readonly #maxWaiting: number;
  readonly #schedule: (work: () => void) => void;
  readonly #openedMs: number;
  #fresh: LogLine[] = [];
  #waiting: LogLine[] | null = null;
  #came = 0;
  readonly #expected = new Map<string, number>();

  constructor(log: Pick<LogBuffer, 'insert'>, options: LogFeedOptions) {
    const { maxWaiting, schedule = afterGathering, openedMs = Date.now() } = options;
    this.#log = log;
    this.#maxWaiting = maxWaiting;
    this.#schedule = schedule;
    this.#openedMs = openedMs;
  }

  /** How many came since it was paused. */
  get waiting(): number {
    return this.#came;
  }

  /** Those that are kept of them. */
  get waitingLines(): readonly LogLine[] {
    return this.#waiting ?? [];
  }

  /** What was looked up before the stream came with the same lines. */
  leaveOut(lines: readonly LogLine[]): void {
    for (const [line, count] of countLines(lines)) this.#expected.set(line, (this.#expected.get(line) ?? 0) + count);
  }

  add(line: LogLine): void {
    if (takeCounted(this.#expected, line)) return;
    if (!this.#waiting) {
      this.#fresh.push(line);
      if (this.#fresh.length === 1) this.#schedule(() => this.flush());
      return;
    }
    this.#came++;
    this.#waiting.push(line);
    // More than is shown need not be kept.
    if (this.#waiting.length > this.#maxWaiting * 1.1) this.#waiting = this.#waiting.slice(-this.#maxWaiting);
  }

  /** Shows what has come so far. */
  flush(): void {
    const lines = this.#fresh;
    this.#fresh = [];
    this.#show(lines);
  }

  pause(): void {
    this.flush();
    this.#waiting ??= [];
  }

  goOn(): void {
    const lines = this.#waiting ?? [];
    this.#waiting = null;
    this.#came = 0;
    this.#show(lines);
  }

  #show(lines: readonly LogLine[]): void {
    if (lines.length > 0) this.#log.insert(inOrderOfTime(lines), (line) => this.#reachOf(line));
  }

  /** What was written before anybody looked was not seen to come: it is put where it belongs, however far up. */
  #reachOf({ at }: LogLine): number {
    return at !== undefined && Date.parse(at) < this.#openedMs ? Infinity : LATE_MS;
  }
}

function afterGathering(work: () => void): void {
  setTimeout(work, GATHER_MS);
}

import type { AnsiStyle } from '../../lib/ansi.ts';
import { widthOf } from './cells.ts';
import { HeldLine, type LogLine } from './held-line.ts';
import { LineStyles } from './line-styles.ts';
import { isLater, placeByTime } from './place-by-time.ts';

export type { LogLine } from './held-line.ts';

interface LogBufferOptions {
  /** The oldest go when there are more. */
  maxLines?: number;
  /** Lines between those that come are left out: a colour that one leaves on is not that of the next. */
  hasGaps?: boolean;
  /** When to tell who looks; once for everything that came until then. */
  schedule?: (work: () => void) => void;
}

/**
 * The lines of a log view: whoever has them adds them here, as fast as they come, and the view shows them with the next
 * picture. A line keeps its number, also when others come before it or the oldest go.
 */
export class LogBuffer {
  readonly #maxLines: number;
  readonly #hasGaps: boolean;
  readonly #schedule: (work: () => void) => void;
  readonly #listeners = new Set<() => void>();
  readonly #styles = new LineStyles();
  #lines: HeldLine[] = [];
  #firstNumber = 1;
  #longest = 0;
  #version = 0;
  #generation = 0;
  #isTold = true;

  constructor(options: LogBufferOptions = {}) {
    const { maxLines = Number.POSITIVE_INFINITY, hasGaps = false, schedule = atNextPicture } = options;
    this.#maxLines = maxLines;
    this.#hasGaps = hasGaps;
    this.#schedule = schedule;
  }

  /** Others once anything but the end has changed: whoever holds these has what was there. */
  get lines(): readonly HeldLine[] {
    return this.#lines;
  }

  /** The number of the first line that is held. */
  get firstNumber(): number {
    return this.#firstNumber;
  }

  /** The number that the next line gets. */
  get nextNumber(): number {
    return this.#firstNumber + this.#lines.length;
  }

  /** Changes when anything but the end does: what was counted of the lines holds no longer. */
  get generation(): number {
    return this.#generation;
  }

  /** What lines before this one have left on. */
  styleBefore(index: number): AnsiStyle | null {
    return this.#hasGaps ? null : this.#styles.before(this.#lines, index);
  }

  /** The columns that the longest takes of all that were drawn so far, and of these. */
  longestWith(first: number, last: number): number {
    for (const { plain } of this.#lines.slice(first, last)) this.#longest = Math.max(this.#longest, widthOf(plain));
    return this.#longest;
  }

  /** How many older lines can still be taken in. */
  get room(): number {
    return Math.max(0, this.#maxLines - this.#lines.length);
  }

  append(lines: readonly LogLine[]): void {
    for (const line of lines) this.#lines.push(new HeldLine(line));
    // A tenth more than wanted, so that not every line moves all the others.
    if (this.#lines.length > this.#maxLines * 1.1) {
      const gone = this.#lines.length - this.#maxLines;
      this.#styles.drop(this.#lines, gone);
      this.#lines = this.#lines.slice(gone);
      this.#firstNumber += gone;
      this.#generation++;
    }
    this.#tell();
  }

  /**
   * Each where it belongs by its time, as far back as it may go; mostly that is the end. Those behind it get other
   * numbers.
   */
  insert(lines: readonly LogLine[], reachMsOf: (line: LogLine) => number): void {
    const before = this.#lines;
    for (const line of lines) {
      const index = placeByTime(this.#lines, line, reachMsOf(line));
      if (index < this.#lines.length && this.#lines === before) {
        this.#lines = [...before];
        this.#styles.forget();
        this.#generation++;
      }
      this.#lines.splice(index, 0, new HeldLine(line));
    }
    this.append([]);
  }

  /**
   * Older lines, before those that are there; as many of the newest of them as there is room for. Any that is later
   * than the first that is there is put in its place among them.
   */
  prepend(lines: readonly LogLine[]): void {
    const fitting = lines.slice(Math.max(0, lines.length - this.room));
    const [first] = this.#lines;
    const isWithin = (line: LogLine) => first !== undefined && isLater(line, first);
    const within = fitting.filter(isWithin);
    if (within.length > 0) this.insert(within, () => Infinity);
    const older = fitting.filter((line) => !isWithin(line)).map((line) => new HeldLine(line));
    this.#firstNumber -= older.length;
    this.#lines = [...older, ...this.#lines];
    this.#styles.forget();
    this.#generation++;
    this.#tell();
  }

  clear(): void {
    this.#lines = [];
    this.#styles.forget();
    this.#firstNumber = 1;
    this.#longest = 0;
    this.#generation++;
    this.#tell();
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Changes when there is something to show. */
  version = (): number => this.#version;

  #tell(): void {
    if (!this.#isTold) return;
    this.#isTold = false;
    this.#schedule(() => {
      this.#isTold = true;
      this.#version++;
      for (const listener of this.#listeners) listener();
    });
  }
}

function atNextPicture(work: () => void): void {
  requestAnimationFrame(work);
}

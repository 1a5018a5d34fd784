import type { Severity } from '@lilac/contract/states';
import { type AnsiStyle, isSameStyle, stripAnsi, styleAfter } from '../../lib/ansi.ts';
import { widthOf } from './cells.ts';
import { countElements } from './part.ts';

export interface LogLine {
  text: string;
  severity?: Severity;
  /** When it was written, where that is known. */
  at?: string;
}

export interface HeldLine extends LogLine {
  /** As it is read: without colours and controls. */
  plain: string;
  /** How many it makes in the page, about. */
  elements: number;
  /** What lines before it have left on. */
  styleBefore: AnsiStyle | null;
}

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

  /** Of all lines so far, in columns. */
  get longest(): number {
    return this.#longest;
  }

  /** How many older lines can still be taken in. */
  get room(): number {
    return Math.max(0, this.#maxLines - this.#lines.length);
  }

  append(lines: readonly LogLine[]): void {
    for (const line of lines) this.#lines.push(this.#hold(line, this.#lines.at(-1)));
    // A tenth more than wanted, so that not every line moves all the others.
    if (this.#lines.length > this.#maxLines * 1.1) {
      const gone = this.#lines.length - this.#maxLines;
      this.#lines = this.#lines.slice(gone);
      this.#firstNumber += gone;
      this.#generation++;
    }
    this.#tell();
  }

  /** Older lines, before those that are there; as many of the newest of them as there is room for. */
  prepend(lines: readonly LogLine[]): void {
    const older: HeldLine[] = [];
    for (const line of lines.slice(Math.max(0, lines.length - this.room))) {
      older.push(this.#hold(line, older.at(-1)));
    }
    this.#firstNumber -= older.length;
    this.#lines = [...older, ...this.#lines];
    this.#carryOn(older.length);
    this.#generation++;
    this.#tell();
  }

  clear(): void {
    this.#lines = [];
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

  #hold(line: LogLine, previous: HeldLine | undefined): HeldLine {
    const plain = stripAnsi(line.text);
    this.#longest = Math.max(this.#longest, widthOf(plain));
    const elements = countElements(line.text, plain);
    return { ...line, plain, elements, styleBefore: this.#styleBefore(line, previous) };
  }

  /** A colour that a command leaves on ends where the platform speaks. */
  #styleBefore({ text }: LogLine, previous: HeldLine | undefined): AnsiStyle | null {
    if (!previous || this.#hasGaps || isOfPlatform(text)) return null;
    return styleAfter(previous.text, previous.styleBefore);
  }

  /** The lines from this one have others before them: their colours change as far as these leave one on. */
  #carryOn(index: number): void {
    for (let at = index; at > 0 && at < this.#lines.length; at++) {
      const line = this.#lines[at]!;
      const styleBefore = this.#styleBefore(line, this.#lines[at - 1]);
      if (isSameStyle(styleBefore, line.styleBefore)) return;
      this.#lines[at] = { ...line, styleBefore };
    }
  }

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

/** What the platform says of itself in a build log begins so. */
export function isOfPlatform(text: string): boolean {
  return text.startsWith('==> ');
}

function atNextPicture(work: () => void): void {
  requestAnimationFrame(work);
}

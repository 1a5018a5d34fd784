import { cutBytes, harmless } from '../lib/harmless-text.ts';

/** A line longer than this is cut: somebody has to read it. */
export const MAX_LINE_BYTES = 8192;
/**
 * What is read of a line. More than is shown: what must not be shown is found before the line is cut to
 * be read (`cutLine`), for in two halves nobody would know it.
 */
export const MAX_READ_BYTES = 65_536;

/** The end of a line that was longer. */
export const CUT_MARK = '… [cut]';
const NEWLINE = 0x0a;
const RETURN = 0x0d;

/**
 * Cuts output into lines as it comes. A carriage return ends a line too, so that progress bars arrive
 * as lines. What is not text is made harmless; colours are kept.
 */
export class LineSplitter {
  readonly #held: Buffer[] = [];
  #size = 0;
  #endedWithReturn = false;

  push(chunk: Buffer): string[] {
    const lines: string[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte !== NEWLINE && byte !== RETURN) continue;
      const isSecondHalf = byte === NEWLINE && at === start && this.#size === 0 && this.#endedWithReturn;
      if (!isSecondHalf) lines.push(this.#finish(chunk.subarray(start, at)));
      this.#endedWithReturn = byte === RETURN;
      start = at + 1;
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start));
    return lines;
  }

  /** What was not ended by a newline. */
  end(): string[] {
    return this.#size > 0 ? [this.#finish(Buffer.alloc(0))] : [];
  }

  #hold(part: Buffer): void {
    const room = MAX_READ_BYTES + 1 - this.#size;
    if (room <= 0) return;
    this.#held.push(Buffer.from(part.subarray(0, room)));
    this.#size += Math.min(part.length, room);
  }

  #finish(rest: Buffer): string {
    this.#hold(rest);
    const bytes = Buffer.concat(this.#held);
    this.#held.length = 0;
    this.#size = 0;
    return bytes.length > MAX_READ_BYTES
      ? harmless(bytes.subarray(0, MAX_READ_BYTES).toString('utf8')) + CUT_MARK
      : harmless(bytes.toString('utf8'));
  }
}

/** Makes a line short enough to be shown. */
export function cutLine(line: string): string {
  const isCut = line.endsWith(CUT_MARK);
  const whole = isCut ? line.slice(0, -CUT_MARK.length) : line;
  const cut = cutBytes(whole, MAX_LINE_BYTES);
  return cut === whole ? line : cut + CUT_MARK;
}

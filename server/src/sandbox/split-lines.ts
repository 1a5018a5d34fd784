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
      ? makeSafe(bytes.subarray(0, MAX_READ_BYTES).toString('utf8')) + CUT_MARK
      : makeSafe(bytes.toString('utf8'));
  }
}

/** Makes a line short enough to be shown. */
export function cutLine(line: string): string {
  if (line.length <= MAX_LINE_BYTES / 3) return line;
  const isCut = line.endsWith(CUT_MARK);
  const bytes = Buffer.from(isCut ? line.slice(0, -CUT_MARK.length) : line);
  if (bytes.length <= MAX_LINE_BYTES) return line;
  return bytes.subarray(0, wholeCharacters(bytes)).toString('utf8').replace(HALF_COLOUR, '') + CUT_MARK;
}

/** Where to cut so that no character is cut in two. */
function wholeCharacters(bytes: Buffer): number {
  let end = MAX_LINE_BYTES;
  while ((bytes[end]! & 0xc0) === 0x80) end--;
  return end;
}

/** Escape sequences of any kind. */
// oxlint-disable-next-line no-control-regex
const SEQUENCE = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])/g;
// oxlint-disable-next-line no-control-regex
const COLOUR = /^\x1b\[[\d;:]*m$/;
// oxlint-disable-next-line no-control-regex
const HALF_COLOUR = /\x1b(\[[\d;:]*)?$/;
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]|\x1b(?!\[[\d;:]*m)/g;

/** The only sequences kept are those that colour; a store cannot hold NUL, and the rest would move cursors. */
function makeSafe(line: string): string {
  const coloured = line.replaceAll(SEQUENCE, (sequence) => (COLOUR.test(sequence) ? sequence : ''));
  return coloured.replaceAll(CONTROL, '\u{fffd}');
}

import type { LogBuffer } from './buffer.ts';
import { isSurelyOneRow, rowsOf } from './cells.ts';
import type { HeldLine } from './held-line.ts';

/**
 * Which rows of the screen a line takes: one without wrapping; with it as many as its letters need. Each has its
 * columns (`cells.ts`), so nothing has to be drawn to know.
 */
export class LogRows {
  /** Null: lines are not wrapped. */
  readonly #columns: number | null;
  /** After each line the rows up to its end. */
  #ends: number[] = [];
  #generation = -1;
  #count = 0;

  constructor(columns: number | null) {
    this.#columns = columns;
  }

  /** Counts what has come since; everything anew where not only the end has changed. */
  update({ lines, generation }: Pick<LogBuffer, 'lines' | 'generation'>): this {
    if (generation !== this.#generation) this.#ends = [];
    this.#generation = generation;
    this.#count = lines.length;
    if (this.#columns === null) return this;
    for (let index = this.#ends.length; index < lines.length; index++) {
      this.#ends.push(this.before(index) + rowsOfLine(lines[index]!, this.#columns));
    }
    return this;
  }

  get total(): number {
    return this.before(this.#count);
  }

  /** How many rows the lines before this one take. */
  before(index: number): number {
    if (this.#columns === null) return index;
    return index === 0 ? 0 : this.#ends[Math.min(index, this.#ends.length) - 1]!;
  }

  /** The line that is at a row; the first or the last where there is none. */
  lineAt(row: number): number {
    const last = Math.max(0, this.#count - 1);
    if (this.#columns === null) return Math.min(Math.max(0, row), last);
    let [low, high] = [0, last];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#ends[middle]! > row) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** What is short whatever it holds is not read for this: most lines are. */
function rowsOfLine(line: HeldLine, columns: number): number {
  return isSurelyOneRow(line.text, columns) ? 1 : rowsOf(line.plain, columns);
}

import { cellsOf, isUsual, lettersBetween, rowStartsOf } from './cells.ts';
import type { HeldLine } from './held-line.ts';
import { patternOf } from './search.ts';

/** What is drawn of a line. Of a heavy one it is what is near the sight: the rest would only cost time. */
export interface LinePart {
  /** Places in the plain text. */
  start: number;
  end: number;
  /** Where rows begin: what takes several columns in one piece must not reach over these. */
  breaks: number[];
  /** What is not drawn, and leaves its room empty. */
  columnsBefore: number;
  rowsBefore: number;
  rowsAfter: number;
}

const WHOLE: LinePart = {
  start: 0,
  end: Number.POSITIVE_INFINITY,
  breaks: [],
  columnsBefore: 0,
  rowsBefore: 0,
  rowsAfter: 0,
};

/** A line with no more than so many letters, or elements in the page, is drawn whole: somebody may select all of it. */
const MAX_LETTERS = 20_000;
const MAX_ELEMENTS = 200;

/** Whether only a part is drawn of it. What it holds is counted once, what is looked for in it when that is known. */
export function isHeavy(line: Pick<HeldLine, 'plain' | 'elements'>, query: string): boolean {
  const { plain } = line;
  if (plain.length <= MAX_ELEMENTS) return false;
  const { elements } = line;
  if (plain.length > MAX_LETTERS || elements > MAX_ELEMENTS) return true;
  const pattern = patternOf(query, 'gi');
  return pattern !== null && elements + (plain.match(pattern)?.length ?? 0) > MAX_ELEMENTS;
}

/** How many elements a line makes at most. */
export function countElements(text: string, plain: string): number {
  const colours = text === plain ? 0 : text.split(ESC).length - 1;
  return colours + (isUsual(plain) ? 1 : cellsOf(plain).length);
}

const ESC = '\u001B';

interface Near {
  /** After how many the line is wrapped; null: not at all. */
  columns: number | null;
  /** Rows of the line where it is wrapped, else columns. */
  from: number;
  to: number;
}

export function partOf(plain: string, { columns, from, to }: Near): LinePart {
  const isWhole = from === 0 && to === WHOLE.end;
  if (isWhole && (columns === null || isUsual(plain))) return WHOLE;
  return columns === null ? partOfRow(plain, from, to) : partOfRows(rowStartsOf(plain, columns), plain, { from, to });
}

function partOfRow(plain: string, from: number, to: number): LinePart {
  const { start, end, column } = lettersBetween(plain, from, to);
  return { ...WHOLE, start, end, columnsBefore: column };
}

function partOfRows(starts: readonly number[], plain: string, { from, to }: { from: number; to: number }): LinePart {
  const [first, last] = [Math.min(from, starts.length), Math.min(to, starts.length)];
  return {
    start: starts[first] ?? plain.length,
    end: starts[last] ?? plain.length,
    breaks: isUsual(plain) ? [] : starts.slice(first + 1, last),
    columnsBefore: 0,
    rowsBefore: first,
    rowsAfter: starts.length - last,
  };
}

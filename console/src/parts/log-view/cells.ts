/** Letters that stand in as many columns as a terminal gives them, whatever font has them. */
export interface Cell {
  text: string;
  /** Of all its letters together; each takes as many. */
  columns: number;
  letters: number;
}

/** Letters that fonts of a terminal have, and give one column each. */
const USUAL = String.raw`\u0020-\u007e`;
/** Letters that never change with those beside them, of one column each: European ones, lines, blocks and dots. */
const NARROW = String.raw`\u00a1-\u00ac\u00ae-\u024f\u0370-\u0482\u048a-\u052f\u1e00-\u1fff\u2010-\u2027\u2030-\u203a\u2500-\u259f\u2800-\u28ff\uff61-\uff9d`;
/** The same, of two columns each: East Asian ones. */
const WIDE = String.raw`\u3000-\u3029\u3041-\u3096\u309b-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff01-\uff60`;
/** What makes one letter with the one before it. */
const JOINING = String.raw`[\p{M}\p{Cf}\u1160-\u11ff\ud7b0-\ud7fb\uff9e\uff9f]`;
const anyOther = new RegExp(`[^${USUAL}]`);
const anyOthers = new RegExp(anyOther, 'g');
const runs = new RegExp(
  [
    `([${USUAL}]+)`,
    `([${NARROW}]+)(?!${JOINING})`,
    `([${WIDE}]+)(?!${JOINING})`,
    `[${NARROW}${WIDE}]?[^${USUAL}${NARROW}${WIDE}]+`,
  ].join('|'),
  'gu',
);
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** What marks a letter before it, joins two of them, or is seen by nobody. */
const isNothing = /^[\p{M}\p{Cf}\p{Cc}]+$/u;
/** East Asian letters that Unicode calls wide, and pictures. */
const isWide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|^\p{Emoji_Presentation}|^\p{Emoji}\ufe0f/u;

/** The usual letters together, as they are; together too what is of one width; each other one for itself. */
export function cellsOf(text: string): (string | Cell)[] {
  if (isUsual(text)) return [text];
  return [...text.matchAll(runs)].flatMap(([run, usual, narrow, wide]): (string | Cell)[] => {
    if (usual !== undefined) return [usual];
    if (narrow !== undefined) return [{ text: run, columns: run.length, letters: run.length }];
    if (wide !== undefined) return [{ text: run, columns: run.length * 2, letters: run.length }];
    return oneByOne(run);
  });
}

const MAX_KEPT = 2000;
const MAX_KEPT_LETTERS = 16;
const kept = new Map<string, Cell[]>();

/** To tell letters apart takes long, and most of them are the same few marks at the beginnings of lines. */
function oneByOne(run: string): Cell[] {
  const before = kept.get(run);
  if (before) return before;
  const cells = Array.from(graphemes.segment(run), ({ segment }): Cell => ({
    text: segment,
    columns: columnsOf(segment),
    letters: 1,
  }));
  if (run.length > MAX_KEPT_LETTERS) return cells;
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(run, cells);
  return cells;
}

/** Browsers break these wherever a row ends, by themselves. */
export function isUsual(text: string): boolean {
  return !anyOther.test(text);
}

/** How many columns a line takes that is not wrapped. */
export function widthOf(text: string): number {
  if (isUsual(text)) return text.length;
  return cellsOf(text).reduce((sum, cell) => sum + (typeof cell === 'string' ? cell.length : cell.columns), 0);
}

/** Whether a text surely has room in one row, colours and all: no letter but a tab takes more than two columns. */
export function isSurelyOneRow(text: string, columns: number): boolean {
  if (text.length > columns || text.includes('\t')) return false;
  return text.length * 2 <= columns || text.length + (text.match(anyOthers)?.length ?? 0) <= columns;
}

/** How many rows a line takes that is wrapped after so many columns; what is wide is not cut in two. */
export function rowsOf(text: string, columns: number): number {
  if (isUsual(text)) return Math.max(1, Math.ceil(text.length / columns));
  if (isSurelyOneRow(text, columns)) return 1;
  return rowStartsOf(text, columns).length;
}

/** The place in the text of what each of these rows begins with. */
export function rowStartsOf(text: string, columns: number): number[] {
  const starts = [0];
  let [index, at] = [0, 0];
  for (const { letters, each, size } of strides(text)) {
    let left = letters;
    while (left * each > columns - at) {
      const fitting = Math.floor((columns - at) / each);
      [index, left, at] = [index + fitting * size, left - fitting, 0];
      starts.push(index);
    }
    [index, at] = [index + left * size, at + left * each];
  }
  return starts;
}

/** The places in the text between which two columns are, where it is not wrapped, and the column of the first. */
export function lettersBetween(text: string, from: number, to: number): { start: number; end: number; column: number } {
  let first: { start: number; column: number } | null = null;
  let [index, column] = [0, 0];
  for (const { letters, each, size } of strides(text)) {
    const width = letters * each;
    if (!first && column + width > from) {
      const before = Math.max(0, Math.floor((from - column) / each));
      first = { start: index + before * size, column: column + before * each };
    }
    if (column + width >= to)
      return { end: index + Math.ceil((to - column) / each) * size, ...(first ?? { start: index, column }) };
    [index, column] = [index + letters * size, column + width];
  }
  return { end: index, ...(first ?? { start: index, column }) };
}

/** Letters that take the same columns and the same room in the text, each. */
function strides(text: string): { letters: number; each: number; size: number }[] {
  return cellsOf(text).map((cell) => {
    if (typeof cell === 'string') return { letters: cell.length, each: 1, size: 1 };
    return { letters: cell.letters, each: cell.columns / cell.letters, size: cell.text.length / cell.letters };
  });
}

function columnsOf(grapheme: string): number {
  if (isNothing.test(grapheme)) return 0;
  return isWide.test(grapheme) ? 2 : 1;
}

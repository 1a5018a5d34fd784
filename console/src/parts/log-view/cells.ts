/** Letters that stand in as many columns as a terminal gives them, whatever font has them. */
export interface Cell {
  text: string;
  columns: number;
}

/** Letters that fonts of a terminal have, and give one column each. */
const anyOther = /[^\u0020-\u007e]/;
const others = /[^\u0020-\u007e]+/g;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** What marks a letter before it, joins two of them, or is seen by nobody. */
const isNothing = /^[\p{M}\p{Cf}\p{Cc}]+$/u;
/** East Asian letters that Unicode calls wide, and pictures. */
const isWide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|^\p{Emoji_Presentation}|^\p{Emoji}\ufe0f/u;

/** The usual letters together, as they are, and each other one for itself. */
export function cellsOf(text: string): (string | Cell)[] {
  if (!anyOther.test(text)) return [text];
  const cells: (string | Cell)[] = [];
  let end = 0;
  for (const { index, 0: run } of text.matchAll(others)) {
    if (index > end) cells.push(text.slice(end, index));
    for (const { segment } of graphemes.segment(run)) cells.push({ text: segment, columns: columnsOf(segment) });
    end = index + run.length;
  }
  if (end < text.length) cells.push(text.slice(end));
  return cells;
}

/** How many columns a line takes that is not wrapped. */
export function widthOf(text: string): number {
  if (!anyOther.test(text)) return text.length;
  return cellsOf(text).reduce((sum, cell) => sum + (typeof cell === 'string' ? cell.length : cell.columns), 0);
}

/** How many rows a line takes that is wrapped after so many columns; what is wide is not cut in two. */
export function rowsOf(text: string, columns: number): number {
  if (!anyOther.test(text)) return Math.max(1, Math.ceil(text.length / columns));
  let [rows, at] = [1, 0];
  for (const cell of cellsOf(text)) {
    if (typeof cell === 'string') {
      at += cell.length;
      const full = Math.ceil(at / columns) - 1;
      if (full > 0) [rows, at] = [rows + full, at - full * columns];
    } else if (at + cell.columns > columns) [rows, at] = [rows + 1, cell.columns];
    else at += cell.columns;
  }
  return rows;
}

function columnsOf(grapheme: string): number {
  if (isNothing.test(grapheme)) return 0;
  return isWide.test(grapheme) ? 2 : 1;
}

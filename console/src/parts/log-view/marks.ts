/** Lines that an address points at, by their numbers. */
export interface LineRange {
  from: number;
  to: number;
}

const HASH = /^#L(\d{1,9})(?:-L?(\d{1,9}))?$/;

/** `#L120` or `#L120-L130`; null for any other, and for a line 0, since the first is 1. */
export function readLineHash(hash: string): LineRange | null {
  const found = HASH.exec(hash);
  if (!found) return null;
  const ends = [Number(found[1]), Number(found[2] ?? found[1])] as const;
  const from = Math.min(...ends);
  return from === 0 ? null : { from, to: Math.max(...ends) };
}

/** What there is of them in a log of so many lines; null where there is none. Not known how many: they may still come. */
export function withinLog({ from, to }: LineRange, lineCount: number | null): LineRange | null {
  if (lineCount === null) return { from, to };
  return from > lineCount ? null : { from, to: Math.min(to, lineCount) };
}

export function writeLineHash({ from, to }: LineRange): string {
  return from === to ? `#L${from}` : `#L${from}-L${to}`;
}

/** With shift a click extends what is marked to the line. */
export function extendRange(marked: LineRange | null, line: number): LineRange {
  if (!marked) return { from: line, to: line };
  return line < marked.from ? { from: line, to: marked.to } : { from: marked.from, to: line };
}

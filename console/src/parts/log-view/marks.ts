/** Lines that an address points at, by their numbers. */
export interface LineRange {
  from: number;
  to: number;
}

const HASH = /^#L(\d{1,9})(?:-L?(\d{1,9}))?$/;

/** `#L120` or `#L120-L130`; null for any other. */
export function readLineHash(hash: string): LineRange | null {
  const found = HASH.exec(hash);
  if (!found) return null;
  const ends = [Number(found[1]), Number(found[2] ?? found[1])] as const;
  return { from: Math.min(...ends), to: Math.max(...ends) };
}

export function writeLineHash({ from, to }: LineRange): string {
  return from === to ? `#L${from}` : `#L${from}-L${to}`;
}

/** With shift a click extends what is marked to the line. */
export function extendRange(marked: LineRange | null, line: number): LineRange {
  if (!marked) return { from: line, to: line };
  return line < marked.from ? { from: line, to: marked.to } : { from: marked.from, to: line };
}

import type { AnsiSpan } from '../../lib/ansi.ts';
import { patternOf } from './search.ts';

export interface Piece extends AnsiSpan {
  isFound: boolean;
}

/** Cuts a line's spans where what was looked for begins and ends: a match may lie across several colours. */
export function piecesOf(spans: readonly AnsiSpan[], query: string): Piece[] {
  const pattern = patternOf(query, 'gi');
  if (!pattern) return spans.map((span) => ({ ...span, isFound: false }));
  const plain = spans.map(({ text }) => text).join('');
  const found = [...plain.matchAll(pattern)].map(({ index, 0: text }) => [index, index + text.length] as const);
  if (found.length === 0) return spans.map((span) => ({ ...span, isFound: false }));
  const cuts = found.flat();
  const pieces: Piece[] = [];
  let start = 0;
  for (const { text, style } of spans) {
    const end = start + text.length;
    const bounds = [start, ...cuts.filter((cut) => cut > start && cut < end), end];
    for (let at = 0; at + 1 < bounds.length; at++) {
      const [from, to] = [bounds[at]!, bounds[at + 1]!];
      const isFound = found.some(([first, last]) => from >= first && to <= last);
      pieces.push({ text: text.slice(from - start, to - start), style, isFound });
    }
    start = end;
  }
  return pieces;
}

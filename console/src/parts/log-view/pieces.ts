import type { AnsiSpan } from '../../lib/ansi.ts';
import type { LinePart } from './part.ts';
import { patternOf } from './search.ts';

export interface Piece extends AnsiSpan {
  isFound: boolean;
}

type Cut = Pick<LinePart, 'start' | 'end' | 'breaks'>;
const nowhere: Cut = { start: 0, end: Number.POSITIVE_INFINITY, breaks: [] };

/**
 * Cuts a line's spans where what was looked for begins and ends, and where rows do: a match may lie across several
 * colours. Of the line only a part is answered; what was looked for is found in all of it.
 */
export function piecesOf(spans: readonly AnsiSpan[], query: string, part: Cut = nowhere): Piece[] {
  const found = foundIn(spans, query, part);
  const cuts = [...found.flat(), ...part.breaks].toSorted((a, b) => a - b);
  const pieces: Piece[] = [];
  let [start, cut, match] = [0, 0, 0];
  for (const { text, style } of spans) {
    const end = start + text.length;
    const last = Math.min(end, part.end);
    for (let from = Math.max(start, part.start); from < last;) {
      while (cuts[cut]! <= from) cut++;
      while (found[match] && found[match]![1] <= from) match++;
      const to = Math.min(last, cuts[cut] ?? last);
      const isFound = found[match] !== undefined && found[match]![0] <= from;
      pieces.push({ text: text.slice(from - start, to - start), style, isFound });
      from = to;
    }
    start = end;
  }
  return pieces;
}

function foundIn(spans: readonly AnsiSpan[], query: string, { start, end }: Cut): [from: number, to: number][] {
  const pattern = patternOf(query, 'gi');
  if (!pattern) return [];
  const plain = spans.map(({ text }) => text).join('');
  const found: [number, number][] = [];
  for (const { index, 0: text } of plain.matchAll(pattern)) {
    if (index >= end) break;
    if (index + text.length > start) found.push([index, index + text.length]);
  }
  return found;
}

import type { LogLine } from './buffer.ts';
import type { LogRows } from './rows.ts';
import { ROW_PX } from './shown.ts';

/** What is at the top of what is seen. */
export interface KeptPlace {
  line: LogLine | undefined;
  number: number;
  offsetPx: number;
}

/** Of a log, at one moment. */
export interface Held {
  lines: readonly LogLine[];
  firstNumber: number;
}

/** What is there in what was drawn: by now others may have come to the log, and these rows do not count them. */
export function placeAt(scrollTop: number, { lines, firstNumber }: Held, rows: LogRows): KeptPlace {
  const index = rows.lineAt(Math.floor(scrollTop / ROW_PX));
  return { line: lines[index], number: firstNumber + index, offsetPx: scrollTop - rows.before(index) * ROW_PX };
}

/** How far down it is now. */
export function topOfPlace(place: KeptPlace, held: Held, rows: LogRows): number {
  return rows.before(indexOfPlace(place, held)) * ROW_PX + place.offsetPx;
}

/** Where it is now. Mostly its number tells; where a line was put in before it, it has another one. */
export function indexOfPlace({ line, number }: KeptPlace, { lines, firstNumber }: Held): number {
  const index = Math.max(0, number - firstNumber);
  if (line === undefined || lines[index] === line) return index;
  const found = lines.indexOf(line, index);
  return found === -1 ? index : found;
}

import type { LogLine } from './buffer.ts';

/** What is at the top of what is seen. */
export interface KeptPlace {
  line: LogLine | undefined;
  number: number;
  offsetPx: number;
}

interface Held {
  lines: readonly LogLine[];
  firstNumber: number;
}

/** Where it is now. Mostly its number tells; where a line was put in before it, it has another one. */
export function indexOfPlace({ line, number }: KeptPlace, { lines, firstNumber }: Held): number {
  const index = Math.max(0, number - firstNumber);
  if (line === undefined || lines[index] === line) return index;
  const found = lines.indexOf(line, index);
  return found === -1 ? index : found;
}

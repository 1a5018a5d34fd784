import type { Line } from './line.ts';
import { adviceOf, tableOf } from './table.ts';

const BEGIN = '<!-- From here to the next mark `npm run bench` writes. -->';
const END = '<!-- Until here. -->';

export interface Results {
  day: string;
  /** A line for each thing that tells what it was measured on. */
  machine: readonly string[];
  lines: readonly Line[];
}

/** The page with what was measured put in the place of what was there; what is written by hand stays. */
export function pageWith(page: string, results: Results): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`The page needs two lines for the results:\n${BEGIN}\n${END}`);
  return `${page.slice(0, begin + BEGIN.length)}\n${textOf(results)}\n${page.slice(end)}`;
}

function textOf({ day, machine, lines }: Results): string {
  const advice = adviceOf(lines).map((each) => `- ${each}`);
  const missing = advice.length === 0 ? [] : ['', 'What could not be measured:', '', ...advice];
  return [
    '',
    `Measured on ${day}, on:`,
    '',
    ...machine.map((each) => `- ${each}`),
    '',
    tableOf(lines),
    ...missing,
    '',
  ].join('\n');
}

import type { Line } from './line.ts';

const HEAD = ['benchmark', 'what', 'ours', 'theirs', 'ratio', 'bar', 'verdict'];

/** All lines as a table that reads as well on a terminal as on a page. */
export function tableOf(lines: readonly Line[]): string {
  const rows = [HEAD, ...lines.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const print = (row: readonly string[]) => `| ${row.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} |`;
  const ruler = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  const [head, ...others] = rows.map(print);
  return [head, ruler, ...others].join('\n');
}

/** What to do about those that could not be measured, each once. */
export function adviceOf(lines: readonly Line[]): string[] {
  const said = lines.flatMap(({ bench, advice }) => (advice === undefined ? [] : [`${bench}: ${advice}`]));
  return [...new Set(said)];
}

function cellsOf({ bench, name, ours, theirs, ratio, bar, verdict }: Line): string[] {
  return [bench, name, ours, theirs, ratio, bar, verdict].map((cell) => cell.replaceAll('|', '\\|'));
}

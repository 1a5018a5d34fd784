import { columnWidths } from '../terminal/table.ts';
import { wrapText } from '../terminal/wrap-text.ts';

/** A title, and rows of a name and what it means. */
export interface Section {
  title: string;
  rows: readonly string[][];
}

export function section(title: string, rows: readonly string[][]): Section {
  return { title, rows };
}

export function helpText(width: number, parts: readonly (string | Section)[]): string {
  const texts = parts.map((part) =>
    typeof part === 'string' ? wrapText(part, width).join('\n') : render(part, width),
  );
  return `${texts.filter(Boolean).join('\n\n')}\n`;
}

/** Two columns; what does not fit into the second goes on below itself. */
function render({ title, rows }: Section, width: number): string {
  if (rows.length === 0) return '';
  const first = columnWidths(rows)[0]! + 4;
  const lines = rows.flatMap(([name = '', words = '']) =>
    wrapText(words, Math.max(NARROWEST_WORDS, width - first)).map((line, index) =>
      `${(index === 0 ? `  ${name}` : '').padEnd(first)}${line}`.trimEnd(),
    ),
  );
  return [title, ...lines].join('\n');
}

const NARROWEST_WORDS = 20;

import type { JsonSchema } from '@lilac/contract/json-schema';
import { logLine, plainText, quoteOdd } from './printable.ts';
import { isFields, renderCell, titleOf, type Fields } from './render-cell.ts';
import { renderTable } from './render-list.ts';
import { alignColumns } from './table.ts';

/** Names that people chose: shown as they are, and so are the values. */
const VARIABLES = 'environment_vars';

export interface Paper {
  /** How many characters fit into a line. */
  width: number;
  hasColours: boolean;
  hasUnicode: boolean;
}

/** An answer for people: lists as tables, things as names and values. Its shape tells names of ours from others. */
export function renderAnswer(answer: unknown, paper: Paper, shape: JsonSchema = {}): string {
  if (isPage(answer)) return renderPage(answer, paper);
  if (Array.isArray(answer)) return renderList(answer, paper);
  return isFields(answer) ? renderFields(answer, paper, shape) : renderCell(answer);
}

interface Page {
  items: unknown[];
  totalItems: number;
  totalPages: number;
  currentPage: number;
}

function isPage(answer: unknown): answer is Page {
  return isFields(answer) && Array.isArray(answer.items) && typeof answer.totalPages === 'number';
}

function renderPage(page: Page, paper: Paper): string {
  return renderList(page.items, paper) + pageNote(page);
}

/** Where in the list it is, below it; nothing where it is all of it. */
export function pageNote({ totalPages, currentPage, totalItems }: Omit<Page, 'items'>): string {
  return totalPages > 1 ? `\n\nPage ${currentPage} of ${totalPages}, ${totalItems} in all.` : '';
}

function renderList(items: readonly unknown[], { width, hasColours }: Paper): string {
  if (items.length === 0) return 'None.';
  if (items.every(isFields)) return renderTable(items, width);
  return items.map((item) => (typeof item === 'string' ? logLine(item, hasColours) : renderCell(item))).join('\n');
}

/** Plain values first, then what holds more than one, under its name. */
function renderFields(fields: Fields, paper: Paper, shape: JsonSchema): string {
  const nameOf = (key: string) => (isMap(shape) ? plainText(key) : titleOf(key));
  const shapeOf = (key: string) => shape.properties?.[key] ?? {};
  const entries = Object.entries(fields);
  const plain = entries.filter(([, value]) => !isNested(value));
  const nested = entries.filter(([, value]) => isNested(value));
  return [
    ...(plain.length > 0 ? [alignColumns(plain.map(([key, value]) => [`${nameOf(key)}:`, renderCell(value)]))] : []),
    ...nested.map(
      ([key, value]) => `${nameOf(key)}\n${indent(renderNested(key, value, { paper, shape: shapeOf(key) }))}`,
    ),
  ].join('\n\n');
}

/** Whether the names in it are ids or such, and not ours. */
function isMap({ additionalProperties, properties }: JsonSchema): boolean {
  return typeof additionalProperties === 'object' && !properties;
}

function renderNested(key: string, value: unknown, { paper, shape }: { paper: Paper; shape: JsonSchema }): string {
  if (key === VARIABLES && isFields(value)) return renderVariables(value);
  return renderAnswer(value, { ...paper, width: paper.width - 2 }, shape);
}

function renderVariables(variables: Fields): string {
  const rows = Object.entries(variables).map(([name, value]) => [quoteOdd(name), quoteOdd(String(value))]);
  return rows.length === 0 ? 'None.' : alignColumns(rows);
}

function isNested(value: unknown): boolean {
  return isFields(value) || (Array.isArray(value) && value.some((item) => isFields(item) || isLine(item)));
}

/** A list of words fits into a cell; lines of a log stand below one another. */
function isLine(item: unknown): boolean {
  return typeof item === 'string' && item.includes(' ');
}

function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}

import { logLine, plainText } from './printable.ts';
import { alignColumns, columnsThatFit } from './table.ts';

type Fields = Record<string, unknown>;

/** What people look for first; the other columns follow as they come, as far as the width allows. */
const firstColumns = [
  'id',
  'user_id',
  'name',
  'email',
  'first_name',
  'status',
  'deployment_stage',
  'is_live',
  'commit_message',
  'started_at',
  'role',
  'plan',
  'url',
  'vcs_branch',
  'prefix',
  'last_used_at',
  'expires_at',
  'revoked_at',
];

export interface Paper {
  /** How many characters fit into a line. */
  width: number;
  hasColours: boolean;
}

/** An answer for people: lists as tables, things as names and values. */
export function renderAnswer(answer: unknown, paper: Paper): string {
  if (isPage(answer)) return renderPage(answer, paper);
  if (Array.isArray(answer)) return renderList(answer, paper);
  return isFields(answer) ? renderFields(answer, paper) : renderCell(answer);
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
  const list = renderList(page.items, paper);
  return page.totalPages > 1
    ? `${list}\n\nPage ${page.currentPage} of ${page.totalPages}, ${page.totalItems} in all.`
    : list;
}

function renderList(items: readonly unknown[], { width, hasColours }: Paper): string {
  if (items.length === 0) return 'None.';
  if (!items.every(isFields)) {
    return items.map((item) => (typeof item === 'string' ? logLine(item, hasColours) : renderCell(item))).join('\n');
  }
  const columns = columnsOf(items);
  const heads = columns.map((column) => titleOf(column).toUpperCase());
  const rows = [heads, ...items.map((item) => columns.map((column) => renderCell(item[column])))];
  const count = columnsThatFit(rows, width);
  return alignColumns(rows.map((row) => row.slice(0, count)));
}

function columnsOf(items: readonly Fields[]): string[] {
  const all = [...new Set(items.flatMap((item) => Object.keys(item)))];
  const first = firstColumns.filter((column) => all.includes(column));
  return [...first, ...all.filter((column) => !first.includes(column))];
}

/** Plain values first, then what holds more than one, under its name. */
function renderFields(fields: Fields, paper: Paper): string {
  const entries = Object.entries(fields);
  const plain = entries.filter(([, value]) => !isNested(value));
  const nested = entries.filter(([, value]) => isNested(value));
  return [
    ...(plain.length > 0 ? [alignColumns(plain.map(([key, value]) => [`${titleOf(key)}:`, renderCell(value)]))] : []),
    ...nested.map(
      ([key, value]) => `${titleOf(key)}\n${indent(renderAnswer(value, { ...paper, width: paper.width - 2 }))}`,
    ),
  ].join('\n\n');
}

function isNested(value: unknown): boolean {
  return isFields(value) || (Array.isArray(value) && value.some((item) => isFields(item) || isLine(item)));
}

/** A list of words fits into a cell; lines of a log stand below one another. */
function isLine(item: unknown): boolean {
  return typeof item === 'string' && item.includes(' ');
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function renderCell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(renderCell).join(', ') || '-';
  if (typeof value !== 'string') return JSON.stringify(value);
  return plainText(value).replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):[\d.]+Z$/, '$1 $2 UTC');
}

function titleOf(key: string): string {
  const words = key.replaceAll('_', ' ').replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}

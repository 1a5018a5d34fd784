import { renderCell, titleOf, type Fields } from './render-cell.ts';
import { alignRows, columnWidths } from './table.ts';

/** What people look for first; the other columns follow as they come, as far as the width allows. */
const firstColumns = [
  'id',
  'user_id',
  'name',
  'email',
  'first_name',
  'status',
  'url',
  'stage',
  'deployment_stage',
  'live',
  'is_live',
  'commit',
  'commit_sha',
  'started_at',
  'message',
  'commit_message',
  'role',
  'plan',
  'vcs_branch',
  'is_production',
  'password_protected',
  'prefix',
  'last_used_at',
  'expires_at',
  'revoked_at',
];

/** Sentences: where one has something to say, it says it below its row. */
const sentences = new Set(['error', 'trouble']);
/** What nobody must miss, and what must stay in one piece to be copied: below its row where it does not fit. */
const neverDropped = new Set(['url']);
const neverCut = new Set(['id', ...neverDropped]);
const LONGEST_CELL = 40;

/** Things as a table that is no wider than the paper. */
export function renderTable(items: readonly Fields[], width: number): string {
  const all = columnsOf(items);
  const { columns, below } = layOut(items, all, width);
  const heads = columns.map((column) => titleOf(column).toUpperCase());
  const [head, ...lines] = alignRows([heads, ...items.map((item) => columns.map((column) => cellOf(item, column)))]);
  const rows = lines.flatMap((line, index) => [line, ...linesBelow(items[index]!, below)]);
  return [head, ...rows].join('\n');
}

function columnsOf(items: readonly Fields[]): string[] {
  const all = [...new Set(items.flatMap((item) => Object.keys(item)))];
  const first = firstColumns.filter((column) => all.includes(column));
  return [...first, ...all.filter((column) => !first.includes(column))];
}

/** As many columns as fit, at least one; no later one takes the place of an earlier one that does not. */
function layOut(items: readonly Fields[], all: readonly string[], width: number) {
  const columns: string[] = [];
  const below: string[] = [];
  let used = -2;
  for (const column of all.filter((name) => !sentences.has(name))) {
    const needed = 2 + widthOf(items, column);
    const fits = columns.length === 0 || used + needed <= width;
    if (!fits && !neverDropped.has(column)) break;
    if (fits) used += needed;
    (fits ? columns : below).push(column);
  }
  return { columns, below: [...below, ...all.filter((column) => sentences.has(column))] };
}

function widthOf(items: readonly Fields[], column: string): number {
  return columnWidths([[titleOf(column)], ...items.map((item) => [cellOf(item, column)])])[0]!;
}

function cellOf(item: Fields, column: string): string {
  const text = renderCell(item[column]);
  return text.length <= LONGEST_CELL || neverCut.has(column) ? text : `${text.slice(0, LONGEST_CELL - 1)}…`;
}

function linesBelow(item: Fields, below: readonly string[]): string[] {
  return below
    .filter((column) => item[column] !== null && item[column] !== undefined)
    .map((column) => (sentences.has(column) ? `${titleOf(column)}: ` : '') + renderCell(item[column]))
    .map((line) => `  ${line}`);
}

import { chooseColumns, type Column } from './choose-columns.ts';
import { isTime, renderCell, renderTime, titleOf, type Fields } from './render-cell.ts';
import { alignRows, columnWidths } from './table.ts';

/** What people look for first; the other columns follow as they come, as far as the width allows. */
const firstColumns = [
  'id',
  'user_id',
  'at',
  'name',
  'email',
  'first_name',
  'action',
  'status',
  'vcs_branch',
  'url',
  'live',
  'is_live',
  'started_at',
  'rollback',
  'commit',
  'commit_sha',
  'commit_message',
  'what',
  'by',
  'role',
  'plan',
  'expires',
  'last_used',
  'is_production',
  'password_protected',
  'stage',
  'deployment_stage',
];

/** Sentences: where one has something to say, it says it below its row. */
const sentences = new Set(['error', 'trouble']);
/** What nobody must miss: below its row where it does not fit. */
const neverDropped = new Set(['url', 'commit', 'settings_url']);
/** What must stay in one piece to be copied. */
const neverCut = new Set(['id', 'user_id', 'url', 'settings_url']);
const LONGEST_CELL = 40;
/** What is left of a cell that people look for, when everything is tight. */
const SHORTEST_CELL = 14;

/** Things as a table that is no wider than the paper, and how many columns had no room. */
export function renderTable(items: readonly Fields[], width: number): string {
  const all = columnsOf(items);
  const columns = all.filter(({ key }) => !sentences.has(key));
  const { chosen, leftOut } = chooseColumns(columns, width);
  const below = leftOut.filter(({ key }) => neverDropped.has(key));
  const said = [...below, ...all.filter(({ key }) => sentences.has(key))];
  const [head, ...lines] = alignRows([
    chosen.map(({ head }) => head),
    ...items.map((_, row) => chosen.map(({ cells, width: room }) => cut(cells[row]!, room))),
  ]);
  const rows = lines.flatMap((line, row) => [line, ...linesBelow(items[row]!, said)]);
  const missed = leftOut.filter((column) => !column.isEmpty && !below.includes(column)).length;
  return [head, ...rows, ...(missed > 0 ? ['', noteOf(missed)] : [])].join('\n');
}

/** How many columns had no room. */
export function noteOf(missed: number): string {
  return `… ${missed} more ${missed === 1 ? 'column' : 'columns'}: widen the terminal, or --json`;
}

interface TableColumn extends Column {
  key: string;
  head: string;
  cells: readonly string[];
}

function columnsOf(items: readonly Fields[]): TableColumn[] {
  const all = [...new Set(items.flatMap((item) => Object.keys(item)))];
  const first = firstColumns.filter((key) => all.includes(key));
  const others = all.filter((key) => !first.includes(key));
  return [
    ...first.map((key) => toColumn(items, key, { isImportant: true })),
    ...others.map((key) => toColumn(items, key, { isImportant: false })),
  ];
}

function toColumn(items: readonly Fields[], key: string, { isImportant }: { isImportant: boolean }): TableColumn {
  const values = items.map((item) => item[key]);
  const isEmpty = values.every((value) => renderCell(value) === '-');
  const areTimes = !isEmpty && values.every((value) => value === null || isTime(value));
  const head = titleOf(key).toUpperCase() + (areTimes ? ' (UTC)' : '');
  const cells = areTimes ? timeCells(values) : values.map(renderCell);
  const mustStayWhole = areTimes || neverCut.has(key);
  const natural = columnWidths([[head], ...cells.map((cell) => [cell])])[0]!;
  const most = mustStayWhole ? natural : Math.min(natural, Math.max(LONGEST_CELL, head.length));
  const least = isImportant && !mustStayWhole ? Math.min(most, Math.max(SHORTEST_CELL, head.length)) : most;
  return { key, head, cells, isEmpty, isImportant, least, most, width: most };
}

/** To the minute, or to the second where that would make two times look the same. */
function timeCells(values: readonly (string | null)[]): string[] {
  const times = new Set(values.filter((value) => value !== null));
  const withSeconds = new Set([...times].map((time) => renderTime(time))).size < times.size;
  return values.map((value) => (value === null ? '-' : renderTime(value, { withSeconds })));
}

export function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}

function linesBelow(item: Fields, below: readonly TableColumn[]): string[] {
  return below
    .filter(({ key }) => item[key] !== null && item[key] !== undefined)
    .map(({ key }) => (sentences.has(key) ? `${titleOf(key)}: ` : '') + renderCell(item[key]))
    .map((line) => `  ${line}`);
}

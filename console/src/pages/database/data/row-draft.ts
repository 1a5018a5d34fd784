import { cutMiddle } from '../../../lib/cut-middle.ts';
import { type Cell, isCut, textOf } from '../cells/cell-text.ts';
import type { Column } from './data-tab.tsx';
import { readList } from './read-list.ts';

export type Row = Record<string, Cell>;

/** What a field of a row is to be: what is typed, nothing, or whatever the table says. */
export interface FieldDraft {
  state: 'value' | 'null' | 'default';
  text: string;
}

type RowDraft = Record<string, FieldDraft>;

/** A row as it is, or a new one, in which everything is what the table says. */
export function draftOf(columns: readonly Column[], row: Row | null): RowDraft {
  return Object.fromEntries(
    columns.map((column) => [column.name, row ? fieldOf(row[column.name] ?? null) : preset(column)]),
  );
}

const fieldOf = (value: Cell): FieldDraft => ({ state: value === null ? 'null' : 'value', text: textOf(value) });

/** A column without a default has to be given, unless it may be NULL. */
function preset(column: Column): FieldDraft {
  return { state: canBeLeftOut(column) ? 'default' : 'value', text: '' };
}

export const canBeLeftOut = (column: Column): boolean =>
  column.default !== null || column.nullable || column.primaryKey || column.generated;

/** Only what is to change: what nobody touched is left as it is by then. */
export function changedValues(columns: readonly Column[], draft: RowDraft, row: Row | null): Row {
  const before = row && draftOf(columns, row);
  const values: Row = {};
  for (const column of columns) {
    const field = draft[column.name]!;
    if (field.state === 'default' || (before && isSame(before[column.name]!, field))) continue;
    values[column.name] = field.state === 'null' ? null : cellOf(field.text, column);
  }
  return values;
}

/** Whether anything would be lost if it were thrown away. */
export function isTouched(columns: readonly Column[], draft: RowDraft, row: Row | null): boolean {
  const before = draftOf(columns, row);
  return columns.some(({ name }) => !isSame(before[name]!, draft[name]!));
}

const isSame = (a: FieldDraft, b: FieldDraft) => a.state === b.state && (a.state !== 'value' || a.text === b.text);

/** Text is what every type is read from; only lists are written differently by the engine. */
const cellOf = (text: string, { list }: Column): Cell => (list ? (readList(text) ?? text) : text);

const LONGEST_VALUE = 40;

/** A row as people tell it from others: by its key. */
export function nameRow(key: Row): string {
  const parts = Object.entries(key).map(([column, value]) => `${column} ${cutMiddle(textOf(value), LONGEST_VALUE)}`);
  return `the row with ${parts.join(' and ')}`;
}

/** What the row is known by; null where the table has no key, or not all of it has come. */
export function keyOf(columns: readonly Column[], row: Row): Row | null {
  const key = columns.filter(({ primaryKey }) => primaryKey).map(({ name }) => [name, row[name] ?? null] as const);
  const isWhole = key.length > 0 && key.every(([, value]) => value !== null && !isCut(value));
  return isWhole ? Object.fromEntries(key) : null;
}

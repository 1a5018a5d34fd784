import { cutMiddle } from '../../../lib/cut-middle.ts';
import { ownValue } from '../../../lib/own-value.ts';
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
    columns.map((column) => [column.name, row ? fieldOf(cellIn(row, column.name)) : preset(column)]),
  );
}

/** NULL where the row has come without it. */
export const cellIn = (row: Row, column: string): Cell => ownValue(row, column) ?? null;

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
  const changed = columns.filter(({ name }) => {
    const field = draft[name]!;
    return field.state !== 'default' && !(before && isSame(before[name]!, field));
  });
  // Not one by one: what is assigned to `__proto__` is not kept.
  return Object.fromEntries(changed.map((column) => [column.name, cellOf(draft[column.name]!, column)]));
}

/** Whether anything would be lost if it were thrown away. */
export function isTouched(columns: readonly Column[], draft: RowDraft, row: Row | null): boolean {
  const before = draftOf(columns, row);
  return columns.some(({ name }) => !isSame(before[name]!, draft[name]!));
}

const isSame = (a: FieldDraft, b: FieldDraft) => a.state === b.state && (a.state !== 'value' || a.text === b.text);

/** Text is what every type is read from; only lists are written differently by the engine. */
function cellOf({ state, text }: FieldDraft, { list }: Column): Cell {
  if (state === 'null') return null;
  return list ? (readList(text) ?? text) : text;
}

const LONGEST_VALUE = 40;

/** A row as people tell it from others: by its key. */
export function nameRow(key: Row): string {
  const parts = Object.entries(key).map(([column, value]) => `${column} ${cutMiddle(textOf(value), LONGEST_VALUE)}`);
  return `the row with ${parts.join(' and ')}`;
}

/** What the row is known by; null where the table has no key, or not all of it has come. */
export function keyOf(columns: readonly Column[], row: Row): Row | null {
  const key = columns.filter(({ primaryKey }) => primaryKey).map(({ name }) => [name, cellIn(row, name)] as const);
  const isWhole = key.length > 0 && key.every(([, value]) => value !== null && !isCut(value));
  return isWhole ? Object.fromEntries(key) : null;
}

import { formatSize } from '@lilac/contract/format-size';
import { changesBetween, type VariableChanges, type Variables } from '@lilac/contract/variable-changes';
import {
  MAX_VARIABLE_BYTES,
  MAX_VARIABLE_NAME,
  MAX_VARIABLES,
  MAX_VARIABLE_VALUE,
  VARIABLE_NAME,
} from '@lilac/contract/variable-limits';
import { parseEnvText } from '../../lib/env-text.ts';
import { ownValue } from '../../lib/own-value.ts';

export interface VariableRow {
  /** Of the row, not of the variable: it stays while the name is typed. */
  key: number;
  name: string;
  value: string;
}

let lastKey = 0;

export function newRow(name = '', value = ''): VariableRow {
  return { key: ++lastKey, name, value };
}

export function rowsOf(variables: Variables): VariableRow[] {
  return Object.entries(variables)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => newRow(name, value));
}

/** A row without anything in it is not there yet. */
function isBlank({ name, value }: VariableRow): boolean {
  return name === '' && value === '';
}

export function variablesOf(rows: readonly VariableRow[]): Variables {
  return Object.fromEntries(rows.filter((row) => !isBlank(row)).map(({ name, value }) => [name, value]));
}

/** What is wrong with each row, by its key; rows that can be saved are not in it. */
export function problemsOf(rows: readonly VariableRow[]): Map<number, string> {
  const seen = new Set<string>();
  const problems = new Map<number, string>();
  for (const row of rows) {
    const problem = isBlank(row) ? null : problemOf(row, seen);
    if (problem) problems.set(row.key, problem);
    seen.add(row.name);
  }
  return problems;
}

function problemOf({ name, value }: VariableRow, seen: ReadonlySet<string>): string | null {
  if (name === '') return 'It needs a name.';
  if (!VARIABLE_NAME.test(name)) return 'A name has letters, digits and _, and no digit first.';
  if (name.length > MAX_VARIABLE_NAME) return `A name has at most ${MAX_VARIABLE_NAME} characters.`;
  if (seen.has(name)) return `${name} is there already.`;
  if (value.length > MAX_VARIABLE_VALUE)
    return `A value has at most ${MAX_VARIABLE_VALUE} characters; this one has ${value.length}.`;
  return value.includes('\0') ? 'A value cannot have a zero byte in it.' : null;
}

const encoder = new TextEncoder();
/** In UTF-8, of what counts as one in a text. */
const MOST_BYTES_OF_LETTER = 3;

/** Why they are too many or too much, all together; null where they are not. */
export function excessOf(variables: Variables): string | null {
  const entries = Object.entries(variables);
  if (entries.length > MAX_VARIABLES) {
    const [most, count] = [MAX_VARIABLES, entries.length].map((each) => each.toLocaleString('en-GB'));
    return `An environment has at most ${most} variables; these are ${count}. Remove some before you save.`;
  }
  const letters = entries.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  // It is asked with every letter, and mostly there is nothing to count.
  if (letters * MOST_BYTES_OF_LETTER <= MAX_VARIABLE_BYTES) return null;
  const bytes = entries.reduce((sum, [name, value]) => sum + name.length + encoder.encode(value).length, 0);
  if (bytes <= MAX_VARIABLE_BYTES) return null;
  return `All variables together have at most ${formatSize(MAX_VARIABLE_BYTES)}; these have ${formatSize(bytes)}. Shorten or remove some before you save.`;
}

/** The same changes on top of what others have saved meanwhile. */
function applyChanges(current: Variables, { before, after }: { before: Variables; after: Variables }): Variables {
  const { added, changed, removed } = changesBetween(before, after);
  const kept = Object.entries(current).filter(([name]) => !removed.includes(name));
  return Object.fromEntries([...kept, ...[...added, ...changed].map((name) => [name, after[name]!] as const)]);
}

/** Rows follow what others have saved, except those that somebody has changed here. */
export function followNews(
  rows: readonly VariableRow[],
  { before, now }: { before: Variables; now: Variables },
): VariableRow[] {
  const wanted = applyChanges(now, { before, after: variablesOf(rows) });
  const isKept = (row: VariableRow) =>
    isBlank(row) || Object.hasOwn(wanted, row.name) || !Object.hasOwn(before, row.name);
  const kept = rows.filter(isKept).map((row) => ({ ...row, value: ownValue(wanted, row.name) ?? row.value }));
  const fresh = Object.keys(wanted).filter((name) => !kept.some((row) => row.name === name));
  return [...kept, ...fresh.toSorted().map((name) => newRow(name, wanted[name]))];
}

export function countChanges({ added, changed, removed }: VariableChanges): number {
  return added.length + changed.length + removed.length;
}

export interface PastedFile {
  variables: Variables;
  /** Lines that were not understood. */
  unread: number[];
  /** Names that were in it more than once. */
  repeated: string[];
}

/**
 * A whole file that was pasted into a field of a row; null where it is just text for that field. What a value
 * may be is anybody's choice, so there only a text that is nothing but several variables counts as a file.
 */
export function fileOf({ field, text }: { field: 'name' | 'value'; text: string }): PastedFile | null {
  const file = parseEnvText(text);
  const count = Object.keys(file.variables).length;
  const isFile = field === 'name' ? count > 0 : count > 1 && file.unread.length === 0;
  return isFile ? file : null;
}

/** Names that are there get the pasted value; the others follow the row that was pasted into, or take its place. */
export function pasteInto(
  rows: readonly VariableRow[],
  { key, variables }: { key: number; variables: Variables },
): VariableRow[] {
  const known = new Set(rows.map(({ name }) => name));
  const kept = rows.map((row) => (Object.hasOwn(variables, row.name) ? { ...row, value: variables[row.name]! } : row));
  const fresh = Object.entries(variables).filter(([name]) => !known.has(name));
  const at = kept.findIndex((row) => row.key === key);
  const isReplaced = at !== -1 && isBlank(kept[at]!);
  return kept.toSpliced(isReplaced ? at : at + 1, isReplaced ? 1 : 0, ...fresh.map((each) => newRow(...each)));
}

export function describePaste({ variables, unread, repeated }: PastedFile): string {
  const count = Object.keys(variables).length;
  const taken = `${count} variable${count === 1 ? '' : 's'} pasted.`;
  const twice = repeated.length > 0 && `More than once in it: ${repeated.join(', ')}; the last value counts.`;
  const lost = unread.length > 0 && `Not understood: line${unread.length === 1 ? '' : 's'} ${unread.join(', ')}.`;
  return [taken, twice, lost].filter(Boolean).join(' ');
}

const DOTS = '••••••••';

/** That there is nothing to hide is told, also where values are hidden. */
export function describeValue(value: string, isShown: boolean): string {
  return value === '' ? '(empty)' : isShown ? value : DOTS;
}

/** A running server has these from the platform, whatever is set. */
const isPlatforms = (name: string): boolean =>
  ['PORT', 'PATH', 'HOME'].includes(name) || (name.startsWith('LILAC_') && name !== 'LILAC_HEALTH_PATH');

/** Empty where all of them arrive as they are. */
export function sayOverruled(rows: readonly VariableRow[]): string {
  const names = rows.map(({ name }) => name).filter(isPlatforms);
  if (names.length === 0) return '';
  return `A server that runs is given ${names.join(', ')} by the platform, whatever stands here.`;
}

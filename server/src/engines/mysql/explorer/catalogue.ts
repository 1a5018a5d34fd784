import { MOST_TABLES } from '@lilac/contract/explorer-limits';
import { escapeId } from 'mysql2';
import type { Connection } from 'mysql2/promise';
import { noColumn } from '../../explore/refusals.ts';
import { MOST_NAMED, readingsOf, tableMissing, type TableName } from '../../explore/table-names.ts';
import type { Column, InTable } from '../../explorer.ts';
import { ask } from './statements.ts';
import type { ColumnKind } from './values.ts';

export interface KnownColumn extends Column, ColumnKind {
  isJson: boolean;
  /** Its values may be of any length. */
  isUnbounded: boolean;
}

export interface KnownTable {
  schema: string;
  name: string;
  isView: boolean;
  rows: number;
  columns: KnownColumn[];
  /** In the order of the key. */
  primaryKey: string[];
}

const SYSTEM = ['information_schema', 'performance_schema', 'mysql', 'sys'];
const KINDS = ['BASE TABLE', 'VIEW', 'SYSTEM VERSIONED'];
const NUMBERS = /^(tinyint|smallint|mediumint|int|bigint|decimal|float|double|year|bit)$/;
const BYTES = /^(tinyblob|blob|mediumblob|longblob|binary|varbinary)$/;
const UNBOUNDED = /^(tiny|medium|long)?(text|blob)$/;

/** Names are kept in three bytes for each letter; the catalogue does not even compare itself with others. */
export const isNameable = (name: string): boolean => !/[\u{10000}-\u{10ffff}]/u.test(name);

export const quoted = (name: string): string => escapeId(name, true);

/** How a statement names it. */
export const nameOf = ({ schema, name }: { schema: string; name: string }): string =>
  `${quoted(schema)}.${quoted(name)}`;

export const listTables = (connection: Connection): Promise<KnownTable[]> => read(connection, null);

export async function findTable(connection: Connection, wanted: InTable, databaseName: string): Promise<KnownTable> {
  for (const { schema, name } of readingsOf(wanted, databaseName)) {
    if (!isNameable(schema) || !isNameable(name)) continue;
    // The server's catalogue does not tell upper from lower case, tables do.
    const found = (await read(connection, { schema, name })).find(
      (each) => each.schema === schema && each.name === name,
    );
    if (found) return found;
  }
  throw tableMissing(wanted, await listNames(connection, wanted.table));
}

/** Those first that are called so elsewhere, or but for upper and lower case. */
async function listNames(connection: Connection, sought: string): Promise<TableName[]> {
  const rows = await ask(
    connection,
    `select table_schema, table_name from information_schema.tables
     where table_schema not in (${placesFor(SYSTEM)}) and table_type in (${placesFor(KINDS)})
     order by lower(table_name) = lower(?) desc, table_schema, table_name limit ${MOST_NAMED + 1}`,
    [...SYSTEM, ...KINDS, isNameable(sought) ? sought : ''],
  );
  return rows.map(([schema, name]) => ({ schema: String(schema), name: String(name) }));
}

const placesFor = (values: readonly string[]): string => values.map(() => '?').join(', ');

export function columnOf({ columns }: KnownTable, name: string): KnownColumn {
  const found = columns.find((column) => column.name === name);
  if (!found) throw noColumn(name);
  return found;
}

async function read(connection: Connection, one: { schema: string; name: string } | null): Promise<KnownTable[]> {
  const where = (schema: string, name: string) =>
    one ? `${schema} = ? and ${name} = ?` : `${schema} not in (${placesFor(SYSTEM)})`;
  const values = one ? [one.schema, one.name] : SYSTEM;
  const tables = await ask(
    connection,
    `select table_schema, table_name, table_type, coalesce(table_rows, 0) from information_schema.tables
     where ${where('table_schema', 'table_name')} and table_type in (${placesFor(KINDS)})
     order by table_schema, table_name limit ${MOST_TABLES}`,
    [...values, ...KINDS],
  );
  const columns = await ask(
    connection,
    `select table_schema, table_name, column_name, column_type, data_type, is_nullable, column_default,
       is_generated
     from information_schema.columns where ${where('table_schema', 'table_name')} order by ordinal_position`,
    values,
  );
  const keys = await ask(
    connection,
    `select table_schema, table_name, column_name from information_schema.statistics
     where ${where('table_schema', 'table_name')} and index_name = 'PRIMARY' order by seq_in_index`,
    values,
  );
  const checks = await ask(
    connection,
    `select constraint_schema, table_name, check_clause from information_schema.check_constraints
     where ${where('constraint_schema', 'table_name')} and check_clause like 'json!_valid(%' escape '!'`,
    values,
  );
  const of = groupByTable;
  const [columnsOf, keysOf, checksOf] = [of(columns), of(keys), of(checks)];
  return tables.map(([schema, name, kind, rows]) => {
    const id = idOf(schema, name);
    const primaryKey = (keysOf.get(id) ?? []).map(([, , column]) => String(column));
    const clauses = new Set((checksOf.get(id) ?? []).map(([, , clause]) => String(clause)));
    return {
      schema: String(schema),
      name: String(name),
      isView: kind === 'VIEW',
      rows: Number(rows),
      primaryKey,
      columns: (columnsOf.get(id) ?? []).map((row) => columnFrom(row, primaryKey, clauses)),
    };
  });
}

const idOf = (schema: unknown, name: unknown): string => JSON.stringify([schema, name]);

function groupByTable(rows: readonly unknown[][]): Map<string, unknown[][]> {
  return Map.groupBy(rows, ([schema, name]) => idOf(schema, name));
}

function columnFrom(row: readonly unknown[], primaryKey: readonly string[], clauses: ReadonlySet<string>): KnownColumn {
  const texts = row.map((each) => (typeof each === 'string' ? each : null));
  const [, , name, type, kind, nullable, preset, generated] = texts;
  const column = name ?? '';
  const isJson = clauses.has(`json_valid(${quoted(column)})`);
  return {
    name: column,
    // What `json` is another name of.
    type: isJson && type === 'longtext' ? 'json' : (type ?? ''),
    nullable: nullable === 'YES',
    default: preset === undefined || preset === 'NULL' ? null : preset,
    primaryKey: primaryKey.includes(column),
    generated: generated === 'ALWAYS',
    list: false,
    isJson,
    isNumber: NUMBERS.test(kind ?? ''),
    isBytes: BYTES.test(kind ?? ''),
    isBits: kind === 'bit',
    isUnbounded: UNBOUNDED.test(kind ?? ''),
  };
}

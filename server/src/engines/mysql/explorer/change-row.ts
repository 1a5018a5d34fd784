import type { Connection } from 'mysql2/promise';
import { assertWholeKey, changedOthers } from '../../explore/refusals.ts';
import { RowMissing, type Cells, type RowChange } from '../../explorer.ts';
import { columnOf, findTable, nameOf, quoted, type KnownTable } from './catalogue.ts';
import { columnList, readAs } from './rows.ts';
import { tell } from './statements.ts';
import { toColumn, toCompared, type Parameter } from './values.ts';

export async function changeRow(
  connection: Connection,
  change: RowChange,
  databaseName: string,
): Promise<Cells | null> {
  const table = await findTable(connection, change, databaseName);
  if (change.operation === 'insert') return await insertRow(connection, table, change.values);
  assertWholeKey(table.primaryKey, change.key);
  const where = whereKey(table, change.key);
  if (change.operation === 'delete') {
    assertOne(await tell(connection, `delete from ${nameOf(table)} where ${where.text}`, where.values));
    return null;
  }
  const set = assignments(table, change.values);
  assertOne(
    await tell(connection, `update ${nameOf(table)} set ${set.text} where ${where.text}`, [
      ...set.values,
      ...where.values,
    ]),
  );
  return await readRow(connection, table, { ...change.key, ...keyPart(table, change.values) });
}

async function insertRow(connection: Connection, table: KnownTable, values: Cells): Promise<Cells | null> {
  const names = Object.keys(values).map((name) => quoted(columnOf(table, name).name));
  const bound = Object.entries(values).map(([name, value]) => toColumn(value, columnOf(table, name)));
  const text = `insert into ${nameOf(table)} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`;
  const rows = await readAs(connection, table, `${text} returning ${columnList(table)}`, bound);
  if (rows.length !== 1) throw changedOthers(rows.length);
  return rows[0] ?? null;
}

async function readRow(connection: Connection, table: KnownTable, key: Cells): Promise<Cells | null> {
  const { text, values } = whereKey(table, key);
  const rows = await readAs(
    connection,
    table,
    `select ${columnList(table)} from ${nameOf(table)} where ${text}`,
    values,
  );
  return rows[0] ?? null;
}

const keyPart = ({ primaryKey }: KnownTable, values: Cells): Cells =>
  Object.fromEntries(Object.entries(values).filter(([name]) => primaryKey.includes(name)));

interface Part {
  text: string;
  values: Parameter[];
}

const whereKey = (table: KnownTable, key: Cells): Part => ({
  text: table.primaryKey.map((name) => `${quoted(name)} = ?`).join(' and '),
  values: table.primaryKey.map((name) => toCompared(key[name] ?? null, columnOf(table, name))),
});

const assignments = (table: KnownTable, values: Cells): Part => ({
  text: Object.keys(values)
    .map((name) => `${quoted(columnOf(table, name).name)} = ?`)
    .join(', '),
  values: Object.entries(values).map(([name, value]) => toColumn(value, columnOf(table, name))),
});

/** The session counts the rows that a key names, be they changed or equal already. */
function assertOne(count: number): void {
  if (count === 0) throw new RowMissing('There is no row with this key.');
  if (count !== 1) throw changedOthers(count);
}

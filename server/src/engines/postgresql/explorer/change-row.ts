import pg from 'pg';
import { assertWholeKey, changedOthers } from '../../explore/refusals.ts';
import { RowMissing, type Cells, type RowChange } from '../../explorer.ts';
import { columnOf, findTable, nameOf, type KnownTable } from './catalogue.ts';
import { columnList, toRows } from './rows.ts';
import { AS_TEXT, toParameter } from './values.ts';

const { escapeIdentifier } = pg;

export async function changeRow(client: pg.Client, change: RowChange): Promise<Cells | null> {
  const table = await findTable(client, change);
  const values: (string | null)[] = [];
  const text = statementFor(table, change, values);
  const { rows, rowCount } = await client.query<(string | null)[]>({ text, values, rowMode: 'array', types: AS_TEXT });
  if (rowCount === 0 && change.operation !== 'insert') throw new RowMissing('There is no row with this key.');
  if (rowCount !== 1) throw changedOthers(rowCount ?? 0);
  return change.operation === 'delete' ? null : (toRows(table, rows)[0] ?? null);
}

function statementFor(table: KnownTable, change: RowChange, values: (string | null)[]): string {
  const name = `${nameOf(table)} as t`;
  const returning = `returning ${columnList(table)}`;
  const pairs = (cells: Cells) =>
    Object.entries(cells).map(([column, value]) => ({
      column: escapeIdentifier(columnOf(table, column).name),
      value: `$${values.push(toParameter(value, columnOf(table, column).valueType.id))}`,
    }));
  if (change.operation === 'insert') {
    const given = pairs(change.values);
    if (given.length === 0) return `insert into ${name} default values ${returning}`;
    const columns = given.map(({ column }) => column).join(', ');
    return `insert into ${name} (${columns}) values (${given.map(({ value }) => value).join(', ')}) ${returning}`;
  }
  assertWholeKey(table.primaryKey, change.key);
  const where = pairs(change.key)
    .map(({ column, value }) => `t.${column} = ${value}`)
    .join(' and ');
  if (change.operation === 'delete') return `delete from ${name} where ${where}`;
  const set = pairs(change.values)
    .map(({ column, value }) => `${column} = ${value}`)
    .join(', ');
  return `update ${name} set ${set} where ${where} ${returning}`;
}

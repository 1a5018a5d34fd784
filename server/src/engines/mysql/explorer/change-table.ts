import type { Connection } from 'mysql2/promise';
import { readingsOf, type TableName } from '../../explore/table-names.ts';
import { StatementRefused, type InTable, type TableChange } from '../../explorer.ts';
import { findTable, isNameable, nameOf, quoted } from './catalogue.ts';
import { readColumnType } from './column-type.ts';
import { ask, tell } from './statements.ts';

export async function changeTable(connection: Connection, change: TableChange, databaseName: string): Promise<void> {
  if (change.operation === 'create') {
    await tell(connection, definitionOf(await placeFor(connection, change, databaseName), change.columns));
    return;
  }
  const table = await findTable(connection, change, databaseName);
  const name = nameOf(table);
  if (change.operation === 'drop') await tell(connection, `drop ${table.isView ? 'view' : 'table'} ${name}`);
  else if (change.operation === 'truncate') await tell(connection, `truncate table ${name}`);
  else await tell(connection, `rename table ${name} to ${nameOf({ ...table, name: newName(change.newName) })}`);
}

/** `other.orders` goes into the database `other` where there is one. */
async function placeFor(connection: Connection, wanted: InTable, databaseName: string): Promise<TableName> {
  const [first, qualified] = readingsOf(wanted, databaseName);
  const known =
    qualified && isNameable(qualified.schema)
      ? await ask(connection, 'select schema_name from information_schema.schemata where schema_name = ?', [
          qualified.schema,
        ])
      : [];
  return known.some(([schema]) => schema === qualified?.schema) ? qualified! : first!;
}

type NewColumn = Extract<TableChange, { operation: 'create' }>['columns'][number];

function definitionOf({ schema, name: table }: TableName, columns: readonly NewColumn[]): string {
  const lines = columns.map(
    ({ name, type, nullable }) => `${quoted(newName(name))} ${readColumnType(type)} ${nullable ? 'null' : 'not null'}`,
  );
  const key = columns.filter(({ primaryKey }) => primaryKey).map(({ name }) => quoted(name));
  if (key.length > 0) lines.push(`primary key (${key.join(', ')})`);
  return `create table ${nameOf({ schema, name: newName(table) })} (${lines.join(', ')})`;
}

function newName(name: string): string {
  if (name.includes('\0')) throw new StatementRefused('A name cannot have characters of the number zero.');
  if (!isNameable(name)) throw new StatementRefused('MySQL takes no emoji, nor letters as rare, into a name.');
  return name;
}

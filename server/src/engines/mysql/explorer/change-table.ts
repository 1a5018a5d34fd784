import type { Connection } from 'mysql2/promise';
import { StatementRefused, type TableChange } from '../../explorer.ts';
import { findTable, nameOf, quoted } from './catalogue.ts';
import { readColumnType } from './column-type.ts';
import { tell } from './statements.ts';

export async function changeTable(connection: Connection, change: TableChange, databaseName: string): Promise<void> {
  const schema = change.schema ?? databaseName;
  if (change.operation === 'create') {
    await tell(connection, definitionOf({ ...change, schema }));
    return;
  }
  const table = await findTable(connection, change, databaseName);
  const name = nameOf(table);
  if (change.operation === 'drop') await tell(connection, `drop ${table.isView ? 'view' : 'table'} ${name}`);
  else if (change.operation === 'truncate') await tell(connection, `truncate table ${name}`);
  else await tell(connection, `rename table ${name} to ${nameOf({ schema, name: newName(change.newName) })}`);
}

function definitionOf({
  schema,
  table,
  columns,
}: Extract<TableChange, { operation: 'create' }> & { schema: string }): string {
  const lines = columns.map(
    ({ name, type, nullable }) => `${quoted(newName(name))} ${readColumnType(type)} ${nullable ? 'null' : 'not null'}`,
  );
  const key = columns.filter(({ primaryKey }) => primaryKey).map(({ name }) => quoted(name));
  if (key.length > 0) lines.push(`primary key (${key.join(', ')})`);
  return `create table ${nameOf({ schema, name: newName(table) })} (${lines.join(', ')})`;
}

function newName(name: string): string {
  if (name.includes('\0')) throw new StatementRefused('A name cannot have characters of the number zero.');
  return name;
}

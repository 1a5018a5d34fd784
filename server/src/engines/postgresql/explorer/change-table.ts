import pg from 'pg';
import { readingsOf, type TableName } from '../../explore/table-names.ts';
import { StatementRefused, type InTable, type TableChange } from '../../explorer.ts';
import { findTable, nameOf, USUAL_SCHEMA, type KnownTable } from './catalogue.ts';

type NewColumn = Extract<TableChange, { operation: 'create' }>['columns'][number];

const { escapeIdentifier } = pg;

/** What the server cuts names to, without a word. */
const LONGEST_NAME_BYTES = 63;

/** What is no type of its own, but stands for one with a sequence. */
const COUNTING = /^(small|big)?serial$/i;

const KINDS: Record<KnownTable['kind'], string> = {
  r: 'table',
  p: 'table',
  v: 'view',
  m: 'materialized view',
  f: 'foreign table',
};

export async function changeTable(client: pg.Client, change: TableChange): Promise<void> {
  if (change.operation === 'create') {
    await createTable(client, change);
    return;
  }
  const table = await findTable(client, change);
  const kind = KINDS[table.kind];
  if (change.operation === 'drop') await client.query(`drop ${kind} ${nameOf(table)}`);
  else if (change.operation === 'truncate') await client.query(`truncate table ${nameOf(table)}`);
  else await client.query(`alter ${kind} ${nameOf(table)} rename to ${newName(change.newName)}`);
}

async function createTable(client: pg.Client, change: Extract<TableChange, { operation: 'create' }>): Promise<void> {
  const { columns } = change;
  const { schema, name: table } = await placeFor(client, change);
  const lines: string[] = [];
  for (const column of columns) lines.push(await definitionOf(client, column));
  const key = columns.filter(({ primaryKey }) => primaryKey).map(({ name }) => escapeIdentifier(name));
  if (key.length > 0) lines.push(`primary key (${key.join(', ')})`);
  await client.query(`create table ${escapeIdentifier(schema)}.${newName(table)} (\n${lines.join(',\n')}\n)`);
}

/** `other.orders` goes into the schema `other` where there is one. */
async function placeFor(client: pg.Client, wanted: InTable): Promise<TableName> {
  for (const reading of readingsOf(wanted, USUAL_SCHEMA).toReversed()) {
    const names = [reading.schema];
    const { rowCount } = await client.query('select from pg_catalog.pg_namespace where nspname = $1::text', names);
    if (rowCount === 1) return reading;
  }
  throw new StatementRefused(`There is no schema ${JSON.stringify(wanted.schema ?? USUAL_SCHEMA)}.`);
}

/** A type may end with a comment, so it has a line of its own. */
async function definitionOf(client: pg.Client, { name, type, nullable }: NewColumn): Promise<string> {
  await assertType(client, type);
  return `${newName(name)} ${type}\n${nullable ? '' : 'not null'}`;
}

/** The server reads it as the name of a type and nothing else: whatever it takes can be part of a statement. */
async function assertType(client: pg.Client, type: string): Promise<void> {
  if (COUNTING.test(type)) return;
  const { rows } = await client.query<{ known: boolean }>('select pg_catalog.to_regtype($1) is not null as known', [
    type,
  ]);
  if (!rows[0]?.known) throw new StatementRefused(`There is no type ${JSON.stringify(type)}.`);
}

function newName(name: string): string {
  if (name.includes('\0') || Buffer.byteLength(name) > LONGEST_NAME_BYTES) {
    throw new StatementRefused(`A name may have ${LONGEST_NAME_BYTES} bytes: ${JSON.stringify(name)}.`);
  }
  return escapeIdentifier(name);
}

import type { Connection, RowDataPacket } from 'mysql2/promise';
import { EngineRefused } from '../../engine.ts';
import { connectAsOwner } from '../connect.ts';
import type { DumpAccount } from './dump-account.ts';
import { readRowsQuery, withExactFloats, type Column, type RowsQuery } from './exact-values.ts';
import { waitShortly } from './lock-wait.ts';

export interface ExactReading extends AsyncDisposable {
  /** What `mariadb-dump` says, so that nothing is lost of what it reads, and it waits for nobody for long. */
  change: (statement: string) => Promise<string>;
  /** Which one it reads, or read last. */
  table(): string | null;
}

/** By an own session beside that of the dump. */
export async function openExactReading(
  home: string,
  databaseName: string,
  { account, lockWaitSeconds }: { account: DumpAccount; lockWaitSeconds: number },
): Promise<ExactReading> {
  const session = await connectAsOwner(home, { ...account, databaseName });
  const { connection } = session;
  await waitShortly(connection, lockWaitSeconds);
  let table: string | null = null;
  let isPatient = true;

  async function change(statement: string): Promise<string> {
    if (isPatient) {
      isPatient = false;
      return inShort(statement, lockWaitSeconds);
    }
    table = /^show create table `(.+)`$/.exec(statement)?.[1] ?? table;
    const query = readRowsQuery(statement);
    if (!query) return statement;
    const known = await columnsOf(connection, { databaseName, table: fromBytes(query.table) });
    assertKnown(query, known);
    return known.some(({ isFloat }) => isFloat) ? withExactFloats(query, known) : statement;
  }

  return {
    change,
    table: () => (table === null ? null : fromBytes(table.replaceAll('``', '`'))),
    [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
  };
}

const FIRST = /^(?:\/\*!\d+ )?SET @@SQL_MODE=''(?: \*\/)?$/;

/** The client has no option for it, and begins with a setting. */
function inShort(statement: string, lockWaitSeconds: number): string {
  if (FIRST.test(statement)) return `SET @@SQL_MODE='', @@lock_wait_timeout=${lockWaitSeconds}`;
  throw new Error(`mariadb-dump begins in an unknown way: ${statement.slice(0, 200)}`);
}

async function columnsOf(
  connection: Connection,
  { databaseName, table }: { databaseName: string; table: string },
): Promise<Column[]> {
  const [rows] = await connection.query<RowDataPacket[]>(
    `select column_name as name, data_type = 'float' as isFloat, extra like '%INVISIBLE%' as isHidden
     from information_schema.columns where table_schema = ? and table_name = ? order by ordinal_position`,
    [databaseName, table],
  );
  return rows.map(({ name, isFloat, isHidden }) => ({
    name: inBytes(`\`${String(name).replaceAll('`', '``')}\``),
    isFloat: Number(isFloat) === 1,
    isHidden: Number(isHidden) === 1,
  }));
}

const MOVED = 'Tables of the database were changed while it was written down; try again when that is over.';

function assertKnown({ columns }: RowsQuery, known: readonly Column[]): void {
  const names = new Set(known.map(({ name }) => name));
  const isKnown = columns.every((name) => !name.startsWith('`') || names.has(name));
  if (names.size === 0 || !isKnown) throw new EngineRefused(MOVED);
}

const inBytes = (text: string): string => Buffer.from(text).toString('latin1');
const fromBytes = (bytes: string): string => Buffer.from(bytes, 'latin1').toString();

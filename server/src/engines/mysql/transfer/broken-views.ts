import { escapeId } from 'mysql2';
import type { Connection, RowDataPacket } from 'mysql2/promise';
import { EngineRefused } from '../../engine.ts';
import { CannotBeDumped } from '../../transfer.ts';
import { connectAsOwner } from '../connect.ts';
import { withoutDefiner } from './definers.ts';
import type { DumpAccount } from './dump-account.ts';
import { LOCKED_OUT, lockedWords, waitShortly } from './lock-wait.ts';

/** A view of something that is no more. Nobody can look at it, and `mariadb-dump` gives up at the sight of one. */
export interface BrokenView {
  name: string;
  why: string;
  definition: string;
}

/** All of them are held until the end of the dump, and then put into its comments. */
const LONGEST_BYTES = 16 * 1024 ** 2;

/** Rejects with `CannotBeDumped` where their definitions together are longer than `longestBytes`. */
export async function findBrokenViews(
  home: string,
  databaseName: string,
  {
    account,
    lockWaitSeconds,
    longestBytes = LONGEST_BYTES,
  }: { account: DumpAccount; lockWaitSeconds: number; longestBytes?: number },
): Promise<BrokenView[]> {
  await using session = await connectAsOwner(home, { ...account, databaseName });
  const { connection } = session;
  await waitShortly(connection, lockWaitSeconds);
  const [views] = await connection.query<RowDataPacket[]>(
    'select table_name as name from information_schema.tables where table_schema = ? and table_type = ? order by 1',
    [databaseName, 'VIEW'],
  );
  // So it is left out before names.
  await connection.query(`use ${escapeId(databaseName)}`);
  const broken: BrokenView[] = [];
  let bytes = 0;
  for (const { name } of views as { name: string }[]) {
    const view = escapeId(name, true);
    const why = await whyBroken(connection, view).catch((error: unknown) => {
      throw LOCKED_OUT.test((error as Error).message) ? new EngineRefused(lockedWords(name, lockWaitSeconds)) : error;
    });
    if (why === null) continue;
    const definition = await definitionOf(connection, view);
    bytes += Buffer.byteLength(definition);
    if (bytes > longestBytes) throw new CannotBeDumped(tooLong(name, longestBytes));
    broken.push({ name, why, definition });
  }
  return broken;
}

const tooLong = (name: string, longestBytes: number): string =>
  `The views of this database that do not work (${name} is one) have definitions of more than ` +
  `${Math.floor(longestBytes / 1024 ** 2)} MB together, which is more than is written down. Mend them or drop them, then ` +
  'try again.';

async function whyBroken(connection: Connection, view: string): Promise<string | null> {
  try {
    await connection.query(`show fields from ${view}`);
    return null;
  } catch (error) {
    const { sqlMessage } = error as { sqlMessage?: string };
    if (sqlMessage === undefined || LOCKED_OUT.test(sqlMessage)) throw error;
    return sqlMessage;
  }
}

async function definitionOf(connection: Connection, view: string): Promise<string> {
  const [rows] = await connection.query<RowDataPacket[]>(`show create view ${view}`);
  return withoutDefiner(String(rows[0]?.['Create View'] ?? ''));
}

/** For whoever reads the dump: it cannot be made again, but it is not lost. */
export function inComments(views: readonly BrokenView[]): string {
  return views
    .map(({ name, why, definition }) => `The view ${name} does not work, and is left out: ${why}\n${definition}`)
    .map((text) => `-- ${text.replaceAll(/[\r\n]+/g, '\n-- ')}\n`)
    .join('');
}

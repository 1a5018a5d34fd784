import { escapeId } from 'mysql2';
import type { Connection, RowDataPacket } from 'mysql2/promise';
import { EngineRefused } from '../../engine.ts';
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

export async function findBrokenViews(
  home: string,
  databaseName: string,
  { account, lockWaitSeconds }: { account: DumpAccount; lockWaitSeconds: number },
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
  for (const { name } of views as { name: string }[]) {
    const view = escapeId(name, true);
    const why = await whyBroken(connection, view).catch((error: unknown) => {
      throw LOCKED_OUT.test((error as Error).message) ? new EngineRefused(lockedWords(name, lockWaitSeconds)) : error;
    });
    if (why !== null) broken.push({ name, why, definition: await definitionOf(connection, view) });
  }
  return broken;
}

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
  const lines = views.flatMap(({ name, why, definition }) =>
    `The view ${name} does not work, and is left out: ${why}\n${definition}`.split(/[\r\n]+/),
  );
  return lines.map((line) => `-- ${line}\n`).join('');
}

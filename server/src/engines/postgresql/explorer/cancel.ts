import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { ExplorerAccess } from '../../explorer.ts';
import { EXPLORER_ROLE } from '../host-based-access.ts';
import { SESSION_NAME } from './session.ts';

/** How long it is asked to end before its session is. */
const ASK_MS = 3000;

/** How the server's list of sessions shows a statement: 63 bytes are the most that it keeps. */
export const sessionNameOf = (queryId: string): string => `${SESSION_NAME} ${queryId}`;

/**
 * Resolves when it has ended: asked once, it may just have been between two steps. By the platform, which can end the
 * sessions of both who may have begun it.
 */
export async function cancelStatement(
  client: pg.Client,
  { databaseName, user }: Pick<ExplorerAccess, 'databaseName' | 'user'>,
  queryId: string,
): Promise<boolean> {
  const begun = Date.now();
  for (let round = 0; ; round++) {
    const end = Date.now() < begun + ASK_MS ? 'pg_cancel_backend' : 'pg_terminate_backend';
    const { rowCount } = await client.query(
      `select pg_catalog.${end}(pid) from pg_catalog.pg_stat_activity
       where application_name = $1 and datname = $2 and usename = any ($3)`,
      [sessionNameOf(queryId), databaseName, [user, EXPLORER_ROLE]],
    );
    if (rowCount === 0) return round > 0;
    if (Date.now() > begun + 2 * ASK_MS) return true;
    await delay(10);
  }
}

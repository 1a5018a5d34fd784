import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from 'mysql2/promise';
import { StatementRefused } from '../../explorer.ts';
import { ask } from './statements.ts';

/** How long it is asked to end before its session is. */
const ASK_MS = 3000;

/** A lock that the session holds tells others which one it is. Its name does not tell upper from lower case. */
const lockOf = (queryId: string): string => `lilac explorer ${Buffer.from(queryId).toString('hex')}`;

export async function markStatement(connection: Connection, queryId: string): Promise<void> {
  const [row] = await ask(connection, 'select get_lock(?, 0)', [lockOf(queryId)]);
  if (Number(row?.[0]) !== 1) throw new StatementRefused('A statement with this queryId is running already.');
}

/** Resolves when it has ended: asked once, it may just have been between two steps. */
export async function cancelStatement(connection: Connection, queryId: string): Promise<boolean> {
  const begun = Date.now();
  for (let round = 0; ; round++) {
    const [row] = await ask(connection, 'select is_used_lock(?)', [lockOf(queryId)]);
    const threadId = row?.[0] ?? null;
    if (threadId === null) return round > 0;
    if (Date.now() > begun + 2 * ASK_MS) return true;
    const what = Date.now() < begun + ASK_MS ? 'query' : 'connection';
    // It may have ended in between.
    await connection.query(`kill ${what} ${Number(threadId)}`).catch(() => {});
    await delay(10);
  }
}

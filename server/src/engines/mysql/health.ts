import { setTimeout as delay } from 'node:timers/promises';
import type { RowDataPacket } from 'mysql2/promise';
import type { ServerHealth } from '../engine.ts';
import { withinTime } from '../within-time.ts';
import { SOCKET_HOST } from './account-hosts.ts';
import { isBraked } from './brake.ts';
import { connectAsPlatform, type Session } from './connect.ts';
import { ownUsers } from './owner-accounts.ts';
import { followingState } from './replication.ts';

/** Nothing is written to find out: whoever waits for a standby that is gone would wait with all others. */
export async function readHealth(home: string, timeoutMs: number): Promise<ServerHealth | 'crowded'> {
  try {
    return await withinTime({ timeoutMs, name: 'MariaDB' }, (signal) => ask(home, timeoutMs, signal));
  } catch (error) {
    if (isCrowded(error)) return 'crowded';
    throw error;
  }
}

async function ask(home: string, timeoutMs: number, signal: AbortSignal): Promise<ServerHealth> {
  await using session = await connectAsPlatform(home, { timeoutMs });
  signal.addEventListener('abort', () => session.cut(), { once: true });
  signal.throwIfAborted();
  const [[row]] = await session.connection.query<RowDataPacket[]>(
    "select @@global.read_only as shut, @@global.init_connect <> '' as sends_away",
  );
  const isPrimary = Number(row?.['sends_away']) === 0 && (await followingState(session)) === null;
  return { isPrimary, isWritable: isPrimary && Number(row?.['shut']) === 0 && !(await isBraked(session)) };
}

/**
 * It takes connections: others have taken all of them. Strangers can, since whoever has not said yet who he is has one
 * too.
 */
export const isCrowded = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === 'ER_CON_COUNT_ERROR';

/** Of clients, not the platform's own: through the socket nobody else comes. */
export async function countConnections({ connection }: Session): Promise<number> {
  const [[row]] = await connection.query<RowDataPacket[]>(
    `select count(*) as count from information_schema.processlist
     where host <> ? and user not in (?)`,
    [SOCKET_HOST, [...ownUsers(), 'system user', 'event_scheduler', 'unauthenticated user']],
  );
  return Number(row?.['count'] ?? 0);
}

/** Whoever is at it may end; new ones come all the time, so it is not waited for long. */
export async function untilQuiet(home: string, withinMs: number): Promise<void> {
  await using session = await connectAsPlatform(home, { timeoutMs: withinMs });
  const deadline = Date.now() + withinMs;
  while (Date.now() < deadline) {
    const [[row]] = await session.connection.query<RowDataPacket[]>(
      'select count(*) as count from information_schema.innodb_trx where trx_mysql_thread_id <> 0',
    );
    if (Number(row?.['count'] ?? 0) === 0) return;
    await delay(10);
  }
}

import type pg from 'pg';
import { EngineRefused } from '../engine.ts';
import { mayCome, type AccessRule } from '../access-rules.ts';
import { PLATFORM_ROLE, REPLICATION_ROLE } from './host-based-access.ts';

const ROUND_MS = 2000;
const ROUNDS = 10;

/**
 * Those that are still proving who they are: what they were let in by may not hold any more when they are done. Before
 * series 18 they are in no list of sessions, but every one of them has begun a transaction.
 */
const STILL_ENTERING = `
  select l.pid from pg_locks l left join pg_stat_activity a on a.pid = l.pid
  where l.locktype = 'virtualxid' and l.pid <> pg_backend_pid() and (
    a.pid is null or (a.backend_type = 'client backend' and a.usename is null)
  )
  union
  select pid from pg_stat_activity where backend_type = 'client backend' and usename is null`;

/** Everybody who came as that user, and who was about to; not those who begin only now. */
export async function endSessionsOf(client: pg.Client, user: string): Promise<void> {
  await endEntering(client);
  await endUntilNone(client, async () => {
    const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity where usename = $1', [user]);
    return rows.map(({ pid }) => pid);
  });
}

/** Everybody who could not come any more. */
export async function endStrangers(client: pg.Client, rules: readonly AccessRule[]): Promise<void> {
  await endEntering(client);
  await endUntilNone(client, async () => {
    const { rows } = await client.query<{ pid: number; address: string; encrypted: boolean }>(
      `select a.pid, host(a.client_addr) as address, coalesce(s.ssl, false) as encrypted
       from pg_stat_activity a left join pg_stat_ssl s on s.pid = a.pid
       where a.backend_type = 'client backend' and a.client_addr is not null
         and a.usename not in ($1, $2)`,
      [PLATFORM_ROLE, REPLICATION_ROLE],
    );
    return rows.filter(({ address, encrypted }) => !mayCome(rules, address, encrypted)).map(({ pid }) => pid);
  });
}

async function endEntering(client: pg.Client): Promise<void> {
  const find = async () => (await client.query<{ pid: number }>(STILL_ENTERING)).rows.map(({ pid }) => pid);
  const begun = new Set(await find());
  await endUntilNone(client, async () => (await find()).filter((pid) => begun.has(pid)));
}

/** Everybody in a transaction that has written and began before that time. */
export async function endWriters(client: pg.Client, begunBefore: Date): Promise<void> {
  await endUntilNone(client, async () => {
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity
       where backend_type = 'client backend' and usename <> $1 and backend_xid is not null and xact_start < $2`,
      [PLATFORM_ROLE, begunBefore],
    );
    return rows.map(({ pid }) => pid);
  });
}

async function endUntilNone(client: pg.Client, find: () => Promise<number[]>): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const pids = await find();
    if (pids.length === 0) return;
    await endEach(client, pids);
  }
  throw new EngineRefused('Sessions of the database cannot be ended.');
}

/** Waits for each, but not for ever. */
async function endEach(client: pg.Client, pids: readonly number[]): Promise<void> {
  if (pids.length === 0) return;
  // First all of them, so that waiting for one does not keep the next alive.
  await client.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [pids]);
  await client.query('select pg_terminate_backend(pid, $2) from unnest($1::int[]) as pid', [pids, ROUND_MS]);
}

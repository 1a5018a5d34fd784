import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { COLLECTION_HOLD } from './collection-hold.ts';
import type { Db } from './pool.ts';

export interface MigrationTiming {
  /**
   * How long a table may be waited for. Whoever wants it meanwhile waits too, so it is short; and longer than the
   * store's `deadlock_timeout`, after which a vacuum that it does by itself makes way.
   */
  lockMs: number;
  /** Then the table is left to others, at first for so long, and for twice as long each time. */
  firstPauseMs: number;
  longestPauseMs: number;
}

export const migrationTiming: MigrationTiming = { lockMs: 2000, firstPauseMs: 2000, longestPauseMs: 30_000 };

export interface InTurn {
  timing: MigrationTiming;
  /** Is told what is waited for, again and again; what it throws ends the waiting. */
  onWait: (why: string) => void;
  signal?: AbortSignal | undefined;
}

/**
 * Ours: held by whoever brings the store up to date, also between two attempts, so that others do not take theirs then.
 */
const TURN_LOCK = 0x7475726e;
/** A lock was not given in time; two waited for each other. */
const IN_USE_CODES = ['55P03', '40P01'];

/**
 * Tries a migration, all of it each time, until nobody is in its way. Those who use the tables go on: they wait for
 * `lockMs` at most for each table. A backup has every table in use until it ends, so its end is waited for first.
 */
export async function migrateInTurn<T>(session: Db, attempt: () => Promise<T>, inTurn: InTurn): Promise<T> {
  return holding(session, TURN_LOCK, { ...inTurn, whose: 'another process is at it' }, async () => {
    const { firstPauseMs, longestPauseMs, lockMs } = inTurn.timing;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        return await holding(session, COLLECTION_HOLD, { ...inTurn, whose: 'a backup or a restore goes on' }, attempt);
      } catch (error) {
        if (!isInUse(error)) throw error;
        inTurn.onWait(`its tables are in use${await describeUsers(session, lockMs)}`);
      }
      await delay(pauseMs, undefined, { signal: inTurn.signal });
    }
  });
}

/** Does something with a lock of the session, and waits for it as long as it takes. */
async function holding<T>(
  session: Db,
  lock: number,
  { timing, onWait, signal, whose }: InTurn & { whose: string },
  act: () => Promise<T>,
): Promise<T> {
  while (!(await takeLock(session, lock, timing.lockMs))) {
    onWait(whose);
    signal?.throwIfAborted();
  }
  try {
    return await act();
  } finally {
    // Where the session is lost, so is the lock.
    await sql`select pg_advisory_unlock(${lock})`.execute(session).catch(() => {});
  }
}

/** False: somebody had it all the time. */
async function takeLock(session: Db, lock: number, withinMs: number): Promise<boolean> {
  try {
    await sql`
      with patience as materialized (select set_config('lock_timeout', ${String(withinMs)}, true))
      select pg_advisory_lock(${lock}) from patience`.execute(session);
    return true;
  } catch (error) {
    if (isInUse(error)) return false;
    throw error;
  }
}

function isInUse(error: unknown): boolean {
  return error instanceof pg.DatabaseError && IN_USE_CODES.includes(error.code ?? '');
}

interface UserRow {
  pid: number;
  name: string;
  seconds: number | null;
}

/** Those whose transactions have gone on for longer than we waited, the oldest first. */
async function describeUsers(session: Db, waitedMs: number): Promise<string> {
  const { rows } = await sql<UserRow>`
    select pid, coalesce(nullif(application_name, ''), backend_type, 'a session') as name,
      extract(epoch from now() - xact_start)::int as seconds
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
      and xact_start < now() - ${waitedMs} * interval '1 millisecond'
      and pid in (select pid from pg_locks where locktype = 'relation' and granted)
    order by xact_start limit 3`.execute(session);
  const users = rows.map(({ pid, name, seconds }) => `"${name}" (process ${pid} of PostgreSQL, since ${seconds} s)`);
  return users.length > 0 ? ` by ${users.join(', ')}` : '';
}

import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { EngineRefused } from '../../engine.ts';
import { READER_ROLE } from '../host-based-access.ts';

const LOOK_MS = 500;

/**
 * `pg_dump` waits for locks without end on everything but tables, such as a view that somebody is about to replace, and
 * takes no setting that says otherwise. So it is looked at from beside, and ended when it has waited for too long.
 */
export async function unlessLockedOut<T>(
  aside: pg.Client,
  { lockWaitMs, signal }: { lockWaitMs: number; signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const [over, refused] = [new AbortController(), new AbortController()];
  const working = work(AbortSignal.any([signal, refused.signal])).finally(() => over.abort());
  working.catch(() => {});
  const until = AbortSignal.any([signal, over.signal]);
  while (!until.aborted) {
    const words = await lockedWords(aside, lockWaitMs);
    if (words !== null) refused.abort(new EngineRefused(words));
    await delay(LOOK_MS, undefined, { signal: AbortSignal.any([until, refused.signal]) }).catch(() => {});
    if (refused.signal.aborted) break;
  }
  return working.catch((error: unknown) => {
    throw refused.signal.aborted ? refused.signal.reason : error;
  });
}

async function lockedWords(aside: pg.Client, lockWaitMs: number): Promise<string | null> {
  const { rows } = await aside.query<{ name: string | null; holders: string }>(
    `select l.relation::regclass::text as name, array_to_string(pg_blocking_pids(l.pid), ', ') as holders
     from pg_locks l join pg_stat_activity a on a.pid = l.pid
     where not l.granted and a.usename = $1 and a.pid <> pg_backend_pid() and a.datname = current_database()
       and l.waitstart < now() - $2 * interval '1 ms'
     limit 1`,
    [READER_ROLE, lockWaitMs],
  );
  const [waiting] = rows;
  if (!waiting) return null;
  return (
    `Another session (${waiting.holders}) has locked ${waiting.name ?? 'a part of the database'} for more than ` +
    `${lockWaitMs / 1000} s, so that the database could not be read: end its transaction, or the session with ` +
    'pg_terminate_backend, then try again.'
  );
}

/** Who may hold what a statement has waited for in vain, by the name of a session each; empty where nobody does any more. */
export async function readLockHolders(platform: pg.Client, databaseName: string): Promise<string[]> {
  const { rows } = await platform.query<{ pid: number; user: string; application: string; names: string }>(
    `select a.pid, a.usename as user, a.application_name as application,
       array_to_string((array_agg(distinct l.relation::regclass::text))[1:3], ', ') as names
     from pg_locks l join pg_stat_activity a on a.pid = l.pid
     where l.granted and l.locktype = 'relation' and l.relation >= 16384 and a.datname = $1 and a.pid <> pg_backend_pid()
       and l.database = (select oid from pg_database where datname = current_database())
     group by a.pid, a.usename, a.application_name, a.xact_start order by a.xact_start limit 3`,
    [databaseName],
  );
  return rows.map(({ pid, user, application, names }) => {
    const who = [user, application].filter(Boolean).join(', ');
    return `${pid} (${who}), which holds ${names}`;
  });
}

import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { ClaimedJob } from './job.ts';

type Claim = Pick<ClaimedJob, 'id' | 'claim'>;
/** And how often its worker ended before. */
type Left = Pick<ClaimedJob, 'id' | 'claim' | 'deaths' | 'attempt' | 'max_attempts'>;

/** Every worker holds a session lock of this class on its name for as long as it is connected. */
export const WORKER_LOCK_CLASS = 0x6a_6f_62;

export async function listRunning(db: Db): Promise<Claim[]> {
  const { rows } = await sql<Claim>`select id, claim from jobs where state = 'running'`.execute(db);
  return rows;
}

/** Jobs marked as running by a worker of this name, other than the given ones. */
export async function listJobsOf(db: Db, worker: string, except: readonly string[]): Promise<Left[]> {
  const { rows } = await sql<Left>`
    select id, claim, deaths, attempt, max_attempts from jobs
    where state = 'running' and worker = ${worker} and not id = any (${except}::bigint[])`.execute(db);
  return rows;
}

/**
 * A worker whose session has gone is dead, or cut off, or the store was restarted: it has this long
 * to come back and extend its leases.
 */
export async function shortenLeasesOfMissingWorkers(db: Db, graceMs: number): Promise<void> {
  await sql`
    update jobs set lease_until = now() + ${graceMs}::float8 * interval '1 millisecond'
    where state = 'running' and lease_until > now() + ${graceMs}::float8 * interval '1 millisecond'
      and not exists (
        select 1 from pg_locks
        where locktype = 'advisory' and granted
          and database = (select oid from pg_database where datname = current_database())
          and classid = ${WORKER_LOCK_CLASS}::integer::oid and objid = hashtext(jobs.worker)::oid and objsubid = 2
      )`.execute(db);
}

/** Jobs whose worker has not renewed its lease in time; those that run here are for us alone to end. */
export async function listExpired(db: Db, runningHere: readonly string[]): Promise<Left[]> {
  const { rows } = await sql<Left>`
    select id, claim, deaths, attempt, max_attempts from jobs
    where state = 'running' and lease_until < now() and not id = any (${runningHere}::bigint[])`.execute(db);
  return rows;
}

import { sql } from 'kysely';
import type { Db, Tx } from '../db/pool.ts';
import type { ClaimedJob, JobEnd } from './job.ts';
import { WAKE_CHANNEL } from './queue-store.ts';
import type { WorkerSession } from './worker-session.ts';

export interface ClaimRequest {
  worker: string;
  kinds: readonly string[];
  limit: number;
  leaseMs: number;
  /** Jobs whose earlier attempt has not stopped here yet. */
  except: readonly string[];
}

export interface Claimed {
  jobs: ClaimedJob[];
  /** When there was no job: how long until the next one is due, null when none is waiting for its time. */
  nextDueMs: number | null;
}

/**
 * Takes up to `limit` jobs, at most one of a lane. Null when another worker took a job of the same
 * lane at the same moment: ask again.
 */
export function claimJobs(session: WorkerSession, request: ClaimRequest): Promise<Claimed | null> {
  const { worker, kinds, limit, leaseMs, except } = request;
  return askForJobs(session, CLAIM, [kinds, limit, worker, leaseMs, except]);
}

type ClaimRow = ClaimedJob & { next_due_ms: number | null; was_ready?: boolean };

/** For statements that claim; null when others were at the same jobs. */
export async function askForJobs(
  session: WorkerSession,
  claim: string,
  values: readonly unknown[],
): Promise<Claimed | null> {
  try {
    const rows = await session.query<ClaimRow>(claim, values);
    const jobs = rows.filter((row) => row.id !== null);
    if (jobs.length === 0 && rows[0]?.was_ready) return null;
    return { jobs, nextDueMs: rows[0]?.next_due_ms ?? null };
  } catch (error) {
    if (isUniqueViolation(error)) return null;
    throw error;
  }
}

/** Makes the chosen jobs a worker's own. */
export const takeChosen = (worker: string, leaseMs: string): string => `
    update jobs set
      state = 'running', attempt = attempt + 1, claim = claim + 1, worker = ${worker},
      lease_until = now() + ${leaseMs}::float8 * interval '1 millisecond', started_at = now()
    from chosen where jobs.id = chosen.id
    returning jobs.id, kind, payload, group_name, attempt, max_attempts, deaths, claim,
      cancel_requested, error, request_id`;

// One statement and so one now(): a job that falls due just now is either taken or counted as due.
export const CLAIM = `
  with ready as (
    select id, priority, run_at, coalesce('lane ' || lane, 'job ' || id) as lane from jobs waiting
    where state = 'queued' and run_at <= now() and kind = any ($1) and not id = any ($5::bigint[])
      and (lane is null or not exists (
        select 1 from jobs busy where busy.lane = waiting.lane and busy.state = 'running'
      ))
    order by priority desc, run_at, id limit $2 for update skip locked
  ), chosen as (
    select distinct on (lane) id from ready order by lane, priority desc, run_at, id
  ), taken as (${takeChosen('$3', '$4')})
  select taken.*, case when taken.id is null then (
    select extract(epoch from run_at - now())::float8 * 1000 from jobs
    where state = 'queued' and run_at > now() and kind = any ($1) order by run_at limit 1
  ) end as next_due_ms
  from (values (true)) as always left join taken on true`;

type Claim = Pick<ClaimedJob, 'id' | 'claim'>;

/** Those of the given claims that still hold; all others belong to somebody else by now. */
export async function extendLeases(
  session: WorkerSession,
  claims: readonly Claim[],
  leaseMs: number,
): Promise<{ id: string; cancel_requested: boolean }[]> {
  return session.query(EXTEND, [claims.map(({ id }) => id), claims.map(({ claim }) => claim), leaseMs]);
}

const EXTEND = `
  update jobs set lease_until = now() + $3::float8 * interval '1 millisecond'
  from unnest($1::bigint[], $2::bigint[]) as mine (id, claim)
  where jobs.id = mine.id and jobs.claim = mine.claim and state = 'running'
  returning jobs.id, cancel_requested`;

/**
 * Keeps the job this attempt's own until the transaction ends: what it writes then cannot come after
 * what another worker wrote. Null when it is another's already.
 */
export async function holdJob(
  tx: Tx,
  { jobId, claim }: { jobId: string; claim: string },
): Promise<{ isCancelRequested: boolean } | null> {
  const { rows } = await sql<{ cancel_requested: boolean }>`
    select cancel_requested from jobs where id = ${jobId} and claim = ${claim} and state = 'running' for share`.execute(
    tx,
  );
  return rows[0] ? { isCancelRequested: rows[0].cancel_requested } : null;
}

/** False when the job is no longer ours. */
export async function endJob(db: Db | Tx, { id, claim }: Claim, end: JobEnd): Promise<boolean> {
  const error = end.state === 'done' ? null : end.error;
  const result = end.state === 'done' ? (JSON.stringify(end.result) ?? null) : null;
  const { rows } = await sql`
    with ended as (
      update jobs set
        state = ${end.state}, error = ${error}, result = ${result}::jsonb,
        worker = null, lease_until = null, finished_at = now()
      where id = ${id} and claim = ${claim} and state = 'running'
      returning kind, lane
    )
    -- Another worker may have been waiting for the lane.
    select case when lane is not null then pg_notify(${WAKE_CHANNEL}, kind)::text end from ended`.execute(db);
  return rows.length === 1;
}

export interface Requeue {
  error: string;
  delayMs: number;
  /** False when the attempt is not held against the job. */
  isCounted: boolean;
  /** Its worker ended or hung while it ran. */
  isDeath?: boolean;
}

/** Puts a job back into the queue; false when it is no longer ours. */
export async function requeueJob(db: Db, claim: Claim, requeue: Requeue): Promise<boolean> {
  for (;;) {
    try {
      return await tryRequeue(db, claim, requeue);
    } catch (error) {
      // A job of the same key came in between; it will be seen at the next try.
      if (!isUniqueViolation(error)) throw error;
    }
  }
}

/** A key that another waiting job has taken meanwhile is given up, and so is that of a job that will only be ended. */
async function tryRequeue(db: Db, { id, claim }: Claim, requeue: Requeue): Promise<boolean> {
  const { error, delayMs, isCounted, isDeath } = requeue;
  // A backup is restored with the columns that it has.
  const death = isDeath ? sql`deaths = deaths + 1,` : sql``;
  const { rows } = await sql`
    with returned as (
      update jobs set
        state = 'queued', error = ${error}, worker = null, lease_until = null,
        attempt = attempt - ${isCounted ? 0 : 1}::integer,
        ${death}
        -- What is not delayed keeps its place before those that came later.
        run_at = case when ${delayMs}::float8 > 0
          then now() + ${delayMs}::float8 * interval '1 millisecond' else run_at end,
        key = case when cancel_requested or exists (
          select 1 from jobs other where other.kind = jobs.kind and other.key = jobs.key and other.state = 'queued'
        ) then null else key end
      where id = ${id} and claim = ${claim} and state = 'running'
      returning kind
    )
    select pg_notify(${WAKE_CHANNEL}, kind) from returned`.execute(db);
  return rows.length === 1;
}

function isUniqueViolation(error: unknown): boolean {
  return (error as { code?: string }).code === '23505';
}

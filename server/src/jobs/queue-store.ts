import { sql } from 'kysely';
import type { Db, Tx } from '../db/pool.ts';
import { currentTrace } from '../lib/trace.ts';
import type { NewJob } from './job.ts';

/** Workers listen here for new work; the payload is the job's kind. */
export const WAKE_CHANNEL = 'lilac_jobs';
/** And here for jobs to stop; the payload is the job's id. */
export const CANCEL_CHANNEL = 'lilac_job_cancel';

export interface Enqueued {
  id: string;
  /** False when a job of the same kind and key was waiting: this is its id, and it keeps its payload. */
  isNew: boolean;
}

/**
 * Adds a job that exists if and only if the caller's transaction commits. A waiting job of the same
 * kind and key stands for it, and is held back until this transaction ends: it cannot run before what
 * this transaction writes is there to see. It carries on which request led to it.
 */
export async function enqueue<Payload extends object>(tx: Tx, job: NewJob<Payload>): Promise<Enqueued> {
  const { rows } = await sql<Enqueued>`
    with added as (
      insert into jobs (kind, payload, key, lane, group_name, priority, run_at, max_attempts, request_id)
      values (
        ${job.kind.name}, ${JSON.stringify(job.payload)}::jsonb, ${job.key ?? null}, ${job.lane ?? job.key ?? null},
        ${groupOf(job)}, ${job.priority ?? 0}, now() + ${job.delayMs ?? 0}::float8 * interval '1 millisecond', ${job.kind.maxAttempts},
        ${currentTrace()?.requestId ?? null}
      )
      on conflict (kind, key) where state = 'queued' and key is not null do update set
        priority = greatest(jobs.priority, excluded.priority),
        run_at = least(jobs.run_at, excluded.run_at),
        attempt = 0,
        -- Whoever asked first is who it runs for.
        request_id = coalesce(jobs.request_id, excluded.request_id)
      returning id, xmax = 0 as is_new
    )
    select id, is_new as "isNew", pg_notify(${WAKE_CHANNEL}, ${job.kind.name}) from added`.execute(tx);
  const { id, isNew } = rows[0]!;
  return { id, isNew };
}

/** A job of a grouped kind without a group would never have its turn. */
function groupOf({ kind, group }: NewJob<object>): string | null {
  const isRight = kind.isGrouped === (group !== undefined);
  if (!isRight) throw new Error(`${kind.name}: a job has a group if and only if its kind is grouped.`);
  return group ?? null;
}

/**
 * Stops a job. `cancelled`: it was waiting and will never run. `stopping`: it runs, and its worker is
 * told when this transaction commits. Null: it has ended already, or there is none.
 */
export async function cancelJob(tx: Tx, id: string): Promise<'cancelled' | 'stopping' | null> {
  const { rows } = await sql<{ state: 'cancelled' | 'running' }>`
    with stopped as (
      update jobs set
        cancel_requested = true,
        state = case when state = 'queued' then 'cancelled' else state end,
        finished_at = case when state = 'queued' then now() end
      where id = ${id} and state in ('queued', 'running')
      returning id, state
    )
    select state, pg_notify(${CANCEL_CHANNEL}, id::text) from stopped`.execute(tx);
  if (!rows[0]) return null;
  return rows[0].state === 'cancelled' ? 'cancelled' : 'stopping';
}

/** Stops every job of a lane that waits or runs. */
export async function cancelLane(tx: Tx, lane: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from jobs where lane = ${lane} and state in ('queued', 'running') order by id`.execute(tx);
  for (const { id } of rows) await cancelJob(tx, id);
}

/** Whether a job of the lane runs at this moment. */
export async function isLaneBusy(db: Db | Tx, lane: string): Promise<boolean> {
  const { rows } = await sql`select from jobs where lane = ${lane} and state = 'running' limit 1`.execute(db);
  return rows.length > 0;
}

export type JobState = 'queued' | 'running' | 'done' | 'failed' | 'cancelled';

export interface JobStatus {
  state: JobState;
  attempt: number;
  error: string | null;
  result: unknown;
}

export async function findJob(db: Db, id: string): Promise<JobStatus | null> {
  const { rows } = await sql<JobStatus>`select state, attempt, error, result from jobs where id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** Forgets jobs that ended longer ago than this; returns how many. */
export async function purgeJobs(db: Db, olderThanMs: number): Promise<number> {
  const result = await sql`
    delete from jobs where state in ('done', 'failed', 'cancelled')
      and finished_at < now() - ${olderThanMs}::float8 * interval '1 millisecond'`.execute(db);
  return Number(result.numAffectedRows ?? 0n);
}

import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { defineJob, handleJob, type JobHandler } from '../job.ts';

/** A job that notes in the table `runs` when it ran and in which process. */
export type RecordedPayload = { holdMs: number; lane?: string };

export const recordedJob = defineJob<RecordedPayload>('test.recorded', { maxAttempts: 50 });

export const RUNS_TABLE = `create table runs (
  id bigint generated always as identity primary key,
  job bigint not null,
  lane text,
  pid integer not null,
  started_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz
)`;

export function recordedJobHandler(pool: pg.Pool): JobHandler {
  return handleJob(recordedJob, async ({ holdMs, lane }, { jobId, signal }) => {
    const { rows } = await pool.query<{ id: string }>(
      'insert into runs (job, lane, pid) values ($1, $2, $3) returning id',
      [jobId, lane ?? null, process.pid],
    );
    try {
      await delay(holdMs, undefined, { signal });
    } finally {
      await pool.query('update runs set ended_at = clock_timestamp() where id = $1', [rows[0]!.id]);
    }
  });
}

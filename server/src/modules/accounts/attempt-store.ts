import { sql } from 'kysely';
import type { Db } from '../../db/pool.ts';
import { FAILURE_WINDOW_MS, MAX_FAILURES } from './attempt.ts';

/** Counts one failure in each bucket that is not full yet, and says which these were. */
export async function countFailures(db: Db, buckets: readonly string[], now: Date): Promise<string[]> {
  const windowEndsAt = new Date(now.getTime() + FAILURE_WINDOW_MS);
  const counted = await db
    .insertInto('attempt_counters')
    .values(buckets.map((bucket) => ({ bucket, failures: 1, window_ends_at: windowEndsAt })))
    .onConflict((conflict) =>
      conflict
        .column('bucket')
        .doUpdateSet({
          failures: sql`case when attempt_counters.window_ends_at <= ${now} then 1 else attempt_counters.failures + 1 end`,
          window_ends_at: sql`case when attempt_counters.window_ends_at <= ${now} then excluded.window_ends_at else attempt_counters.window_ends_at end`,
        })
        .where((where) =>
          where.or([
            where('attempt_counters.failures', '<', MAX_FAILURES),
            where('attempt_counters.window_ends_at', '<=', now),
          ]),
        ),
    )
    .returning('bucket')
    .execute();
  return counted.map((row) => row.bucket);
}

/** When the last of these buckets opens again. */
export async function lastWindowEnd(db: Db, buckets: readonly string[]): Promise<Date | null> {
  const row = await db
    .selectFrom('attempt_counters')
    .select((select) => select.fn.max('window_ends_at').as('ends'))
    .where('bucket', 'in', buckets)
    .executeTakeFirst();
  return row?.ends ?? null;
}

export async function uncountFailure(db: Db, bucket: string): Promise<void> {
  await db
    .updateTable('attempt_counters')
    .set((set) => ({ failures: set('failures', '-', 1) }))
    .where('bucket', '=', bucket)
    .where('failures', '>', 0)
    .execute();
}

export async function forgetFailures(db: Db, bucket: string): Promise<void> {
  await db.deleteFrom('attempt_counters').where('bucket', '=', bucket).execute();
}

export async function deleteEndedWindows(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('attempt_counters').where('window_ends_at', '<=', now).execute();
}

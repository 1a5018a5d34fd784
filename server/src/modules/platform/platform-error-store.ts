import { sql, type Selectable } from 'kysely';
import type { Db } from '../../db/pool.ts';
import type { PlatformErrorsTable } from '../../db/schema/platform.ts';
import type { KeptError } from './platform-error.ts';

export type PlatformErrorRow = Selectable<PlatformErrorsTable>;

export async function insertPlatformError(db: Db, error: KeptError): Promise<void> {
  await db.insertInto('platform_errors').values(error).execute();
}

export function listPlatformErrors(db: Db, limit: number): Promise<PlatformErrorRow[]> {
  return db
    .selectFrom('platform_errors')
    .selectAll()
    .orderBy('occurred_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/**
 * By its own id, or that of the request, the job or the deployment it came of; there may be several, the oldest first.
 */
export function findPlatformErrors(db: Db, id: string, limit: number): Promise<PlatformErrorRow[]> {
  return db
    .selectFrom('platform_errors')
    .selectAll()
    .where((where) =>
      where.or([
        where('id', '=', id),
        where('request_id', '=', id),
        where('job_id', '=', id),
        where('job_id', 'in', sql<string>`(select jobs.id::text from jobs where payload ->> 'deploymentId' = ${id})`),
      ]),
    )
    .orderBy('occurred_at')
    .orderBy('id')
    .limit(limit)
    .execute();
}

export async function countPlatformErrorsSince(db: Db, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('platform_errors')
    .select((select) => select.fn.countAll<string>().as('count'))
    .where('occurred_at', '>=', since)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Keeps the newest, as many as these. */
export async function deletePlatformErrorsBeyond(db: Db, kept: number): Promise<void> {
  await sql`
    delete from platform_errors where (occurred_at, id) <= (
      select occurred_at, id from platform_errors order by occurred_at desc, id desc offset ${kept} limit 1
    )`.execute(db);
}

export async function deletePlatformErrorsBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('platform_errors').where('occurred_at', '<', before).execute();
}

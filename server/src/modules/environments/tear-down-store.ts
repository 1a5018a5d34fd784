import { sql } from 'kysely';
import type { Db, Tx } from '../../db/pool.ts';
import type { EnvironmentRow, UploadRow } from '../../db/schema.ts';

/** Null when it is gone already, and for one that nobody has deleted. */
export async function findRetired(db: Db, id: string): Promise<EnvironmentRow | null> {
  const found = await db
    .selectFrom('environments')
    .selectAll()
    .where('id', '=', id)
    .where('status', '=', 'deleting')
    .executeTakeFirst();
  return found ?? null;
}

/** Whether a job that moves one of its deployments still runs: it was told to stop, and may be about to. */
export async function isAtWork(db: Db, environmentId: string): Promise<boolean> {
  const { rows } = await sql<{ busy: boolean }>`
    select exists (
      select from deployments d join jobs j on j.id = d.job_id
      where d.environment_id = ${environmentId} and j.state in ('queued', 'running')
    ) as busy`.execute(db);
  return rows[0]!.busy;
}

export async function listArtifactIds(db: Db, environmentId: string): Promise<string[]> {
  const rows = await db.selectFrom('artifacts').select('id').where('environment_id', '=', environmentId).execute();
  return rows.map(({ id }) => id);
}

export type SpentUpload = Pick<UploadRow, 'id' | 'storage_path'>;

/** The archives that nothing but this environment, or others that are being deleted too, was made from. */
export async function listSpentUploads(db: Db, environmentId: string): Promise<SpentUpload[]> {
  const { rows } = await sql<SpentUpload>`
    select id, storage_path from uploads u
    where id in (select upload_id from deployments where environment_id = ${environmentId})
      and not exists (
        select from deployments d join environments e on e.id = d.environment_id
        where d.upload_id = u.id and e.status <> 'deleting'
      )`.execute(db);
  return rows;
}

export async function deleteUploads(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.deleteFrom('uploads').where('id', 'in', ids).execute();
}

/** Its deployments and their logs go with it: the foreign keys say so. */
export async function deleteEnvironmentRow(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('environments').where('id', '=', id).execute();
}

export async function hasEnvironments(tx: Tx, applicationId: string): Promise<boolean> {
  const first = await tx
    .selectFrom('environments')
    .select('id')
    .where('application_id', '=', applicationId)
    .limit(1)
    .executeTakeFirst();
  return first !== undefined;
}

/** Those whose tear-down should have ended long ago: its attempts are used up, or its job was lost. */
export async function listStuckEnvironments(db: Db, olderThanMinutes: number): Promise<string[]> {
  const rows = await db
    .selectFrom('environments')
    .select('id')
    .where('status', '=', 'deleting')
    .where('updated_at', '<', sql<Date>`now() - ${olderThanMinutes} * interval '1 minute'`)
    .execute();
  return rows.map(({ id }) => id);
}

import { sql } from 'kysely';
import type { Db, Tx } from '../../db/pool.ts';

/** Their logs go with them. Returns the archives they were made of. */
export async function forgetDeployments(tx: Tx, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const forgotten = await tx
    .deleteFrom('deployments')
    .where('id', 'in', [...ids])
    .returning('upload_id')
    .execute();
  return forgotten.flatMap(({ upload_id }) => upload_id ?? []);
}

/** From here on nobody can be rolled back to them. */
export async function forgetArtifacts(tx: Tx, artifactIds: readonly string[]): Promise<void> {
  if (artifactIds.length === 0) return;
  await tx
    .updateTable('deployments')
    .set({ artifact_id: null })
    .where('artifact_id', 'in', [...artifactIds])
    .execute();
}

/**
 * Archives that were deployed and that no deployment refers to, nor an import of a database: of the given ones, or of
 * all. An archive becomes consumed in the transaction that starts what uses it, so none of these is about to be used.
 */
export async function listForgottenUploads(
  db: Db,
  ids: readonly string[] | 'all',
): Promise<{ id: string; storagePath: string }[]> {
  const among = ids === 'all' ? sql`true` : sql`id = any (${ids}::text[])`;
  const { rows } = await sql<{ id: string; storagePath: string }>`
    select id, storage_path as "storagePath" from uploads
    where ${among} and status = 'consumed' and not exists (select from deployments where upload_id = uploads.id)
      and not exists (select from database_imports where upload_id = uploads.id)`.execute(db);
  return rows;
}

export async function forgetUpload(db: Db, id: string): Promise<void> {
  await db.deleteFrom('uploads').where('id', '=', id).where('status', '=', 'consumed').execute();
}

import { sql, type Insertable } from 'kysely';
import type { Db, Tx } from '../../db/pool.ts';
import type { UploadRow, UploadsTable } from '../../db/schema.ts';
import type { Standing } from '../../objects/object-store.ts';
import type { Waiting } from './room-for-uploads.ts';

export function insertUpload(tx: Tx, upload: Insertable<UploadsTable>): Promise<UploadRow> {
  return tx.insertInto('uploads').values(upload).returningAll().executeTakeFirstOrThrow();
}

export interface WaitingSince {
  organisationId: string;
  reservedUntil: Date;
  now: Date;
}

/**
 * Those of the organisation that can still be completed, or are ready, or were discarded and may still come. Until the
 * transaction ends nobody adds one.
 */
export async function holdWaiting(tx: Tx, { organisationId, reservedUntil, now }: WaitingSince): Promise<Waiting[]> {
  await tx.selectFrom('organisations').select('id').where('id', '=', organisationId).forNoKeyUpdate().execute();
  const rows = await tx
    .selectFrom('uploads')
    .select(['status', 'content_type', 'announced_size', 'size', 'completed_at'])
    .where('organisation_id', '=', organisationId)
    .where((where) =>
      where.or([
        where('status', '=', 'ready'),
        where.and([where('status', '=', 'reserved'), where('expires_at', '>=', reservedUntil)]),
        // Of an unknown length it would come through the platform, which refuses it.
        where.and([
          where('status', '=', 'expired'),
          where('expires_at', '>', now),
          where('announced_size', 'is not', null),
        ]),
      ]),
    )
    .execute();
  return rows.map((row) => ({ ...row, announced_size: toNumber(row.announced_size), size: toNumber(row.size) }));
}

const toNumber = (stored: string | null): number | null => (stored === null ? null : Number(stored));

export async function findUpload(db: Db, id: string): Promise<UploadRow | null> {
  return (await db.selectFrom('uploads').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** Whether the address of this archive still takes it: no longer than its upload can be completed. */
export async function standingOf(db: Db, storagePath: string): Promise<Standing> {
  const upload = await db
    .selectFrom('uploads')
    .select('status')
    .where('storage_path', '=', storagePath)
    .executeTakeFirst();
  if (!upload || upload.status === 'expired') return 'gone';
  return upload.status === 'reserved' ? 'open' : 'taken';
}

/** Nobody else can use or expire it until the transaction ends. Null when the organisation has none such. */
export async function holdUpload(
  tx: Tx,
  { uploadId, organisationId }: { uploadId: string; organisationId: string },
): Promise<UploadRow | null> {
  const found = await tx
    .selectFrom('uploads')
    .selectAll()
    .where('id', '=', uploadId)
    .where('organisation_id', '=', organisationId)
    .forUpdate()
    .executeTakeFirst();
  return found ?? null;
}

export function markConsumed(tx: Tx, id: string): Promise<UploadRow> {
  return tx
    .updateTable('uploads')
    .set({ status: 'consumed' })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export interface Completion {
  size: number;
  detected: object | null;
  completedAt: Date;
}

/** Null when it is not reserved any more: somebody else has completed, discarded or expired it. */
export async function markReady(
  db: Db,
  id: string,
  { size, detected, completedAt }: Completion,
): Promise<UploadRow | null> {
  const ready = await db
    .updateTable('uploads')
    .set({ status: 'ready', size, detected: detected && JSON.stringify(detected), completed_at: completedAt })
    .where('id', '=', id)
    .where('status', '=', 'reserved')
    .returningAll()
    .executeTakeFirst();
  return ready ?? null;
}

export interface Discarded {
  organisationId: string;
  /** Left out: all of them. */
  uploadId?: string | undefined;
}

/** Forgets the organisation's uploads that were never completed; returns where their archives may lie. */
export async function deleteReserved(db: Db, { organisationId, uploadId }: Discarded): Promise<string[]> {
  const deleted = await db
    .deleteFrom('uploads')
    .where('organisation_id', '=', organisationId)
    .where('status', '=', 'reserved')
    .$if(uploadId !== undefined, (query) => query.where('id', '=', uploadId!))
    .returning('storage_path')
    .execute();
  return deleted.map((row) => row.storage_path);
}

/** The same where what was announced may still come: until then it counts. */
export async function expireReserved(db: Db, { organisationId, uploadId }: Discarded): Promise<string[]> {
  const expired = await db
    .updateTable('uploads')
    .set({ status: 'expired' })
    .where('organisation_id', '=', organisationId)
    .where('status', '=', 'reserved')
    .$if(uploadId !== undefined, (query) => query.where('id', '=', uploadId!))
    .returning('storage_path')
    .execute();
  return expired.map((row) => row.storage_path);
}

/** Reserved and not completed, or ready and not used, since these times. */
export async function expireUploads(
  db: Db,
  { reservedUntil, readySince }: { reservedUntil: Date; readySince: Date },
): Promise<number> {
  const result = await db
    .updateTable('uploads')
    .set({ status: 'expired' })
    .where((where) =>
      where.or([
        where.and([where('status', '=', 'reserved'), where('expires_at', '<', reservedUntil)]),
        where.and([where('status', '=', 'ready'), where('completed_at', '<', readySince)]),
      ]),
    )
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** Forgets what is over since that time: what expired, and what was deployed and has no deployment any more. */
export async function deleteForgotten(db: Db, since: Date): Promise<number> {
  const result = await sql`
    delete from uploads u
    where (status = 'expired' and greatest(expires_at, completed_at) < ${since})
      or (status = 'consumed' and completed_at < ${since}
        and not exists (select from deployments d where d.upload_id = u.id))`.execute(db);
  return Number(result.numAffectedRows ?? 0n);
}

/** Of these places, those whose archive somebody may still want. */
export async function findWanted(db: Db, storagePaths: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('uploads')
    .select('storage_path')
    .where('storage_path', 'in', storagePaths)
    .where('status', '!=', 'expired')
    .execute();
  return new Set(rows.map((row) => row.storage_path));
}

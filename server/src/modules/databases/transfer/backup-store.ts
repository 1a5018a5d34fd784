import { sql } from 'kysely';
import type { Db, Tx } from '../../../db/pool.ts';
import type { BackupPurpose, DatabaseBackupRow, DatabaseRow } from '../../../db/schema.ts';

export interface NewBackup {
  id: string;
  database_id: string;
  organisation_id: string;
  purpose: BackupPurpose;
  object_key: string;
}

export function insertBackup(tx: Tx, backup: NewBackup): Promise<DatabaseBackupRow> {
  return tx
    .insertInto('database_backups')
    .values({ ...backup, status: 'waiting' })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function findBackup(db: Db | Tx, id: string): Promise<DatabaseBackupRow | null> {
  return (await db.selectFrom('database_backups').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** What people are shown, the newest first. */
export function listBackups(db: Db, databaseId: string): Promise<DatabaseBackupRow[]> {
  return db
    .selectFrom('database_backups')
    .selectAll()
    .where('database_id', '=', databaseId)
    .where('purpose', 'in', ['automatic', 'manual'])
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

export function allBackupsOf(db: Db, databaseId: string): Promise<DatabaseBackupRow[]> {
  return db.selectFrom('database_backups').selectAll().where('database_id', '=', databaseId).execute();
}

/** One that is on its way, if there is one of that purpose. */
export async function findUnfinished(
  db: Db | Tx,
  databaseId: string,
  purpose: BackupPurpose,
): Promise<DatabaseBackupRow | null> {
  const found = await db
    .selectFrom('database_backups')
    .selectAll()
    .where('database_id', '=', databaseId)
    .where('purpose', '=', purpose)
    .where('status', 'in', ['waiting', 'writing'])
    .executeTakeFirst();
  return found ?? null;
}

/** What a database was before an import that has not ended: null where there is nothing to put back. */
export async function findSafety(db: Db, databaseId: string): Promise<DatabaseBackupRow | null> {
  const found = await db
    .selectFrom('database_backups')
    .selectAll()
    .where('database_id', '=', databaseId)
    .where('purpose', '=', 'safety')
    .where('status', '=', 'ready')
    .executeTakeFirst();
  return found ?? null;
}

/**
 * An import was given up half-way: what was there before it becomes a backup like any other. False where there is none.
 */
export async function keepSafety(tx: Tx, databaseId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('database_backups')
    .set({ purpose: 'manual' })
    .where('database_id', '=', databaseId)
    .where('purpose', '=', 'safety')
    .where('status', '=', 'ready')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function markWriting(db: Db, id: string): Promise<void> {
  await db.updateTable('database_backups').set({ status: 'writing' }).where('id', '=', id).execute();
}

export interface Written {
  size: number;
  sha256: string;
  completedAt: Date;
  expiresAt: Date | null;
}

/** False when the row is gone: its database was deleted meanwhile. */
export async function markReady(db: Db, id: string, written: Written): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('database_backups')
    .set({
      status: 'ready',
      size: written.size,
      sha256: written.sha256,
      error: null,
      completed_at: written.completedAt,
      expires_at: written.expiresAt,
    })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Answers it with its database's name, where it was not over already. */
export async function markFailed(
  tx: Tx,
  id: string,
  { error, completedAt, expiresAt }: { error: string; completedAt: Date; expiresAt: Date },
): Promise<(DatabaseBackupRow & { database_name: string }) | null> {
  const failed = await tx
    .updateTable('database_backups as b')
    .from('databases as d')
    .set({ status: 'failed', error, completed_at: completedAt, expires_at: expiresAt })
    .whereRef('d.id', '=', 'b.database_id')
    .where('b.id', '=', id)
    .where('b.status', 'in', ['waiting', 'writing'])
    .returningAll('b')
    .returning('d.name as database_name')
    .executeTakeFirst();
  return failed ?? null;
}

export async function deleteBackup(db: Db | Tx, id: string): Promise<void> {
  await db.deleteFrom('database_backups').where('id', '=', id).execute();
}

/**
 * What has expired: not the newest that a database can be restored from by itself, whatever its age, and nothing that a
 * database is being made from.
 */
export async function listExpired(db: Db, now: Date): Promise<DatabaseBackupRow[]> {
  return db
    .selectFrom('database_backups as b')
    .selectAll('b')
    .where('b.expires_at', '<', now)
    .where((b) => b.not(b.exists(b.selectFrom('databases').select('id').whereRef('restore_from', '=', 'b.id'))))
    .where(
      sql<boolean>`(b.purpose <> 'automatic' or b.status <> 'ready' or exists (
        select from database_backups newer
        where newer.database_id = b.database_id and newer.purpose = 'automatic' and newer.status = 'ready'
          and newer.started_at > b.started_at))`,
    )
    .execute();
}

/** Databases that run and whose last automatic backup is a day old, or whose last try failed an hour ago. */
export async function listDue(db: Db, now: Date): Promise<DatabaseRow[]> {
  return db
    .selectFrom('databases as d')
    .selectAll('d')
    .where('d.status', 'in', ['healthy', 'degraded'])
    .where(
      sql<boolean>`coalesce((
        select max(case when b.status = 'failed' then b.started_at - interval '23 hours' else b.started_at end)
        from database_backups b where b.database_id = d.id and b.purpose = 'automatic'
      ), d.created_at - interval '23 hours') < ${now}::timestamptz - interval '24 hours'`,
    )
    .orderBy('d.id')
    .execute();
}

/**
 * Of every database that can be backed up: when its last backup was begun that is ready, whoever ordered it, and why
 * the last automatic one failed, if it did.
 */
export interface BackupState {
  databaseId: string;
  name: string;
  createdAt: Date;
  lastReadyAt: Date | null;
  lastError: string | null;
}

export async function readBackupStates(db: Db): Promise<BackupState[]> {
  const { rows } = await sql<{
    id: string;
    name: string;
    created_at: Date;
    ready_at: Date | null;
    error: string | null;
  }>`
    select d.id, d.name, d.created_at,
      (select max(b.started_at) from database_backups b
        where b.database_id = d.id and b.purpose in ('automatic', 'manual') and b.status = 'ready') as ready_at,
      (select case when b.status = 'failed' then b.error end from database_backups b
        where b.database_id = d.id and b.purpose = 'automatic' and b.status in ('ready', 'failed')
        order by b.started_at desc limit 1) as error
    from databases d where d.status in ('healthy', 'degraded', 'updating')`.execute(db);
  return rows.map((row) => ({
    databaseId: row.id,
    name: row.name,
    createdAt: row.created_at,
    lastReadyAt: row.ready_at,
    lastError: row.error,
  }));
}

import { sortColumns } from '@lilac/contract/sort-columns';
import type { DatabaseStatus, DatabaseStep } from '@lilac/contract/states';
import { sql, type Insertable, type Updateable } from 'kysely';
import { readPage, type Page, type PageRequest } from '../../db/page.ts';
import type { Db, Tx } from '../../db/pool.ts';
import type { DatabaseRow, DatabasesTable } from '../../db/schema.ts';

/** Tells streams that something about a database has changed; the payload is its id. */
export const DATABASE_CHANNEL = 'lilac_databases';

export function listDatabases(db: Db, organisationId: string, request: PageRequest): Promise<Page<DatabaseRow>> {
  return readPage(db, { table: 'databases', organisationId, sortColumns: sortColumns.databases }, request);
}

export function allDatabases(db: Db | Tx): Promise<DatabaseRow[]> {
  return db.selectFrom('databases').selectAll().orderBy('id').execute();
}

export async function findDatabase(db: Db | Tx, id: string): Promise<DatabaseRow | null> {
  return (await db.selectFrom('databases').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** Null when it was deleted meanwhile. */
export async function lockDatabase(tx: Tx, id: string): Promise<DatabaseRow | null> {
  const locked = await tx.selectFrom('databases').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
  return locked ?? null;
}

export function insertDatabase(tx: Tx, database: Insertable<DatabasesTable>): Promise<DatabaseRow> {
  return tx.insertInto('databases').values(database).returningAll().executeTakeFirstOrThrow();
}

/** For what the stream does not tell; who follows a database is woken all the same. */
export async function updateDatabase(tx: Tx, id: string, columns: Updateable<DatabasesTable>): Promise<DatabaseRow> {
  const updated = await tx
    .updateTable('databases')
    .set({ ...columns, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await tellChange(tx, id);
  return updated;
}

/** Its servers, backups, links and figures go with it: the foreign keys say so. */
export async function deleteDatabaseRow(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('databases').where('id', '=', id).execute();
  await tellChange(tx, id);
}

/** Where it is reached from now on; only while nobody has been told of another port as ready. */
export async function changeDatabasePort(tx: Tx, id: string, port: number): Promise<void> {
  await tx.updateTable('databases').set({ port }).where('id', '=', id).execute();
}

export async function hasDatabases(db: Db | Tx, organisationId: string): Promise<boolean> {
  const first = await db
    .selectFrom('databases')
    .select('id')
    .where('organisation_id', '=', organisationId)
    .limit(1)
    .executeTakeFirst();
  return first !== undefined;
}

/**
 * In a moving state though nothing works on them any more: no job waits or runs in any of their lanes, which end in
 * the database's id.
 */
export async function listStuckDatabases(db: Db | Tx): Promise<DatabaseRow[]> {
  return db
    .selectFrom('databases as d')
    .selectAll('d')
    .where('status', 'in', ['provisioning', 'updating', 'deleting'])
    .where(
      sql<boolean>`not exists (
        select from jobs where jobs.state in ('queued', 'running')
          and jobs.lane in ('database:' || d.id, 'database-transfer:' || d.id)
      )`,
    )
    .execute();
}

export type DatabaseState = Pick<DatabaseRow, 'id' | 'name' | 'status' | 'error' | 'updated_at'>;

/** How all of them are. */
export function readDatabaseStates(db: Db): Promise<DatabaseState[]> {
  return db.selectFrom('databases').select(['id', 'name', 'status', 'error', 'updated_at']).orderBy('name').execute();
}

export interface Progress {
  status?: DatabaseStatus;
  step?: DatabaseStep;
  percent?: number;
  /** Null: nothing is wrong. Left out: as it was. */
  error?: string | null;
}

/** Writes down where it stands and wakes whoever follows. Harmless when it is gone. */
export async function setProgress(db: Db | Tx, id: string, progress: Progress): Promise<void> {
  await db
    .updateTable('databases')
    .set({ ...progress, progress: sql<string>`progress + 1`, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
  await tellChange(db, id);
}

/** The same, unless its status is another one by now: then nothing is written, and the answer is false. */
export async function advance(db: Db | Tx, id: string, status: DatabaseStatus, progress: Progress): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('databases')
    .set({ ...progress, progress: sql<string>`progress + 1`, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('status', '=', status)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await tellChange(db, id);
  return true;
}

/** Why something failed once is said no longer of a database that is well; what was said meanwhile stays. */
export async function clearError(db: Db, { id, error }: Pick<DatabaseRow, 'id' | 'error'>): Promise<void> {
  if (error === null) return;
  const { numUpdatedRows } = await db
    .updateTable('databases')
    .set({ error: null, progress: sql<string>`progress + 1`, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('status', '=', 'healthy')
    .where('error', '=', error)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await tellChange(db, id);
}

export async function tellChange(db: Db | Tx, id: string): Promise<void> {
  await sql`select pg_notify(${DATABASE_CHANNEL}, ${id})`.execute(db);
}

import type { DatabaseStatus, DatabaseStep } from '@lilac/contract/states';
import { sql } from 'kysely';
import { readPage, type Page, type PageRequest } from '../../db/page.ts';
import type { Db, Tx } from '../../db/pool.ts';
import type { DatabaseRow } from '../../db/schema.ts';

const sortColumns = ['created_at', 'name', 'status'] as const;

/** Tells streams that something about a database has changed; the payload is its id. */
export const DATABASE_CHANNEL = 'lilac_databases';

export function listDatabases(db: Db, organisationId: string, request: PageRequest): Promise<Page<DatabaseRow>> {
  return readPage(db, { table: 'databases', organisationId, sortColumns }, request);
}

export function allDatabases(db: Db): Promise<DatabaseRow[]> {
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

export async function tellChange(db: Db | Tx, id: string): Promise<void> {
  await sql`select pg_notify(${DATABASE_CHANNEL}, ${id})`.execute(db);
}

import { sortColumns } from '@lilac/contract/sort-columns';
import { sql } from 'kysely';
import pg from 'pg';
import { readPage, type Page, type PageRequest } from '../../db/page.ts';
import type { Db, Tx } from '../../db/pool.ts';
import type { ProjectRow } from '../../db/schema.ts';

export function listProjects(db: Db, organisationId: string, request: PageRequest): Promise<Page<ProjectRow>> {
  return readPage(db, { table: 'projects', organisationId, sortColumns: sortColumns.projects }, request);
}

/** Null when the organisation has a folder of this name already, in whatever case. */
export async function insertProject(
  tx: Tx,
  project: { id: string; organisation_id: string; name: string },
): Promise<ProjectRow | null> {
  const inserted = await tx
    .insertInto('projects')
    .values(project)
    .onConflict((conflict) => conflict.expression(sql`organisation_id, lower(name)`).doNothing())
    .returningAll()
    .executeTakeFirst();
  return inserted ?? null;
}

/** Null when the folder was deleted meanwhile. */
export async function lockProject(tx: Tx, id: string): Promise<ProjectRow | null> {
  const locked = await tx.selectFrom('projects').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
  return locked ?? null;
}

/** `taken` when another folder has this name: the transaction is lost then. */
export async function renameProject(tx: Tx, id: string, name: string): Promise<ProjectRow | 'taken'> {
  try {
    return await tx
      .updateTable('projects')
      .set({ name, updated_at: sql<Date>`now()` })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.constraint === 'projects_name') return 'taken';
    throw error;
  }
}

/** What it holds moves to the root: the foreign keys say so. Null when it was deleted before. */
export async function deleteProject(tx: Tx, id: string): Promise<ProjectRow | null> {
  const deleted = await tx.deleteFrom('projects').where('id', '=', id).returningAll().executeTakeFirst();
  return deleted ?? null;
}

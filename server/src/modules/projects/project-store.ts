import { sql, type Selectable } from 'kysely';
import pg from 'pg';
import { readPage, type Page, type PageRequest } from '../../db/page.ts';
import type { Db } from '../../db/pool.ts';
import type { ProjectRow, ProjectsTable } from '../../db/schema.ts';

const sortColumns = ['created_at', 'updated_at', 'name'] as const satisfies (keyof Selectable<ProjectsTable>)[];

export function listProjects(db: Db, organisationId: string, request: PageRequest): Promise<Page<ProjectRow>> {
  return readPage(db, { table: 'projects', organisationId, sortColumns }, request);
}

/** Null when the organisation has a folder of this name already, in whatever case. */
export async function insertProject(
  db: Db,
  project: { id: string; organisation_id: string; name: string },
): Promise<ProjectRow | null> {
  const inserted = await db
    .insertInto('projects')
    .values(project)
    .onConflict((conflict) => conflict.expression(sql`organisation_id, lower(name)`).doNothing())
    .returningAll()
    .executeTakeFirst();
  return inserted ?? null;
}

/** `taken` when another folder has this name; null when the folder was deleted meanwhile. */
export async function renameProject(db: Db, id: string, name: string): Promise<ProjectRow | 'taken' | null> {
  try {
    const renamed = await db
      .updateTable('projects')
      .set({ name, updated_at: sql<Date>`now()` })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    return renamed ?? null;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.constraint === 'projects_name') return 'taken';
    throw error;
  }
}

/** What it holds moves to the root: the foreign keys say so. */
export async function deleteProject(db: Db, id: string): Promise<void> {
  await db.deleteFrom('projects').where('id', '=', id).execute();
}

import { sql } from 'kysely';
import { readPage, type Page, type PageRequest } from '../../db/page.ts';
import type { Db, Tx } from '../../db/pool.ts';
import type { ApplicationRow, EnvironmentRow } from '../../db/schema.ts';

export type EnvironmentSummary = Pick<EnvironmentRow, 'id' | 'name' | 'is_production'>;

const sortColumns = ['created_at', 'updated_at', 'name', 'status'] as const;

export function listApplications(db: Db, organisationId: string, request: PageRequest): Promise<Page<ApplicationRow>> {
  return readPage(db, { table: 'applications', organisationId, sortColumns }, request);
}

/** Production first, then the oldest. */
export function listEnvironmentsOf(db: Db, applicationId: string): Promise<EnvironmentSummary[]> {
  return db
    .selectFrom('environments')
    .select(['id', 'name', 'is_production'])
    .where('application_id', '=', applicationId)
    .orderBy('is_production', 'desc')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Keeps the folder from being deleted until the transaction ends; false when the organisation has no such folder. */
export async function holdFolder(
  tx: Tx,
  { organisationId, folderId }: { organisationId: string; folderId: string },
): Promise<boolean> {
  const held = await tx
    .selectFrom('projects')
    .select('id')
    .where('id', '=', folderId)
    .where('organisation_id', '=', organisationId)
    .forKeyShare()
    .executeTakeFirst();
  return held !== undefined;
}

/** False when the application was deleted meanwhile. */
export async function setFolder(
  tx: Tx,
  { applicationId, folderId }: { applicationId: string; folderId: string | null },
): Promise<boolean> {
  const moved = await tx
    .updateTable('applications')
    .set({ project_id: folderId, updated_at: sql<Date>`now()` })
    .where('id', '=', applicationId)
    .returning('id')
    .executeTakeFirst();
  return moved !== undefined;
}

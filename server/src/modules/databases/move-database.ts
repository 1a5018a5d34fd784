import type { DatabaseRow } from '../../db/schema.ts';
import type { Db } from '../../db/pool.ts';
import type { Caller } from '../../http/handler.ts';
import { notFound } from '../../lib/fault.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { holdFolder } from '../applications/application-store.ts';
import { updateDatabase } from './database-store.ts';
import { holdDatabase } from './hold-database.ts';

export interface Move {
  database: DatabaseRow;
  /** Null is the root. A folder of another organisation is as unknown as one that never was. */
  folderId: string | null;
  caller: Caller;
}

export async function moveDatabase(db: Db, { database, folderId, caller }: Move): Promise<void> {
  const { id, organisation_id: organisationId } = database;
  await db.transaction().execute(async (tx) => {
    const { project_id: before, name: subject } = await holdDatabase(tx, id);
    if (folderId !== null && !(await holdFolder(tx, { organisationId, folderId }))) throw notFound('Folder');
    if (before === folderId) return;
    await updateDatabase(tx, id, { project_id: folderId });
    await recordActivity(tx, { organisationId, databaseId: id, subject, action: 'database_moved', caller });
  });
}

import type { Db } from '../../db/pool.ts';
import type { ApplicationRow } from '../../db/schema.ts';
import { notFound } from '../../lib/fault.ts';
import { holdFolder, setFolder } from './application-store.ts';

/** A null folder is the root. A folder of another organisation is as unknown as one that never was. */
export async function moveApplication(db: Db, application: ApplicationRow, folderId: string | null): Promise<void> {
  const { id: applicationId, organisation_id: organisationId } = application;
  await db.transaction().execute(async (tx) => {
    const isThere = folderId === null || (await holdFolder(tx, { organisationId, folderId }));
    if (!isThere) throw notFound('Folder');
    if (!(await setFolder(tx, { applicationId, folderId }))) throw notFound('Application');
  });
}

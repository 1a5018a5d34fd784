import type { Db } from '../../db/pool.ts';
import type { ApplicationRow } from '../../db/schema.ts';
import type { Caller } from '../../http/handler.ts';
import { notFound } from '../../lib/fault.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { findProduction } from '../environments/environment-store.ts';
import { holdFolder, updateApplication } from './application-store.ts';
import { holdApplication } from './hold-application.ts';

export interface Move {
  application: ApplicationRow;
  /** Null is the root. A folder of another organisation is as unknown as one that never was. */
  folderId: string | null;
  caller: Caller;
}

export async function moveApplication(db: Db, { application, folderId, caller }: Move): Promise<void> {
  const { id: applicationId, organisation_id: organisationId } = application;
  await db.transaction().execute(async (tx) => {
    const { project_id: before } = await holdApplication(tx, applicationId);
    if (folderId !== null && !(await holdFolder(tx, { organisationId, folderId }))) throw notFound('Folder');
    if (before === folderId) return;
    await updateApplication(tx, applicationId, { project_id: folderId });
    const environmentId = (await findProduction(tx, applicationId))?.id;
    await recordActivity(tx, { organisationId, applicationId, environmentId, action: 'application_moved', caller });
  });
}

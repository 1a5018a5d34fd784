import type { Db } from '../../db/pool.ts';
import { conflict } from '../../lib/fault.ts';
import { deleteOrganisation as deleteRow, hasApplications, lockOrganisationForDelete } from './organisation-store.ts';

/** Its folders, keys, members and invitations go with it; what is deployed must be gone before. */
export async function deleteOrganisation(db: Db, organisationId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockOrganisationForDelete(tx, organisationId);
    if (await hasApplications(tx, organisationId)) {
      throw conflict('This organisation still holds applications. Delete them first.');
    }
    await deleteRow(tx, organisationId);
  });
}

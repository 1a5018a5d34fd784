import type { Db } from '../../db/pool.ts';
import { conflict } from '../../lib/fault.ts';
import { hasDatabases } from '../databases/database-store.ts';
import { deleteOrganisation as deleteRow, hasApplications, lockOrganisationForDelete } from './organisation-store.ts';

/** Its folders, keys, members and invitations go with it; what is deployed must be gone before. */
export async function deleteOrganisation(db: Db, organisationId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockOrganisationForDelete(tx, organisationId);
    if (await hasApplications(tx, organisationId)) {
      throw conflict('This organisation still holds applications. Delete them first.');
    }
    if (await hasDatabases(tx, organisationId)) {
      throw conflict('This organisation still holds databases. Delete them first, and wait until they are gone.');
    }
    await deleteRow(tx, organisationId);
  });
}

import type { Tx } from '../../../db/pool.ts';
import type { DatabaseLinkRow, DatabaseRow, EnvironmentRow } from '../../../db/schema.ts';
import type { Caller } from '../../../http/handler.ts';
import { conflict, invalid, notFound } from '../../../lib/fault.ts';
import { recordActivity } from '../../activity/record-activity.ts';
import { lockEnvironment } from '../../environments/environment-store.ts';
import { openVariables } from '../../environments/variables.ts';
import { isPlatforms } from '../../instances/instance-environment.ts';
import type { DatabasesDeps } from '../databases-deps.ts';
import { holdDatabase } from '../hold-database.ts';
import { findLink, insertLink, removeLink } from './link-store.ts';

export interface LinkRequest {
  database: DatabaseRow;
  environmentId: string;
  variable: string;
  caller: Caller;
}

/** From the next deployment on. The same again is harmless. */
export async function connectDatabase(
  { store, keyring }: Pick<DatabasesDeps, 'store' | 'keyring'>,
  { database: { id: databaseId, organisation_id: organisationId }, environmentId, variable, caller }: LinkRequest,
): Promise<DatabaseLinkRow> {
  if (isPlatforms(variable)) throw invalid(`variable: ${variable} is the platform's own. Choose another name.`);
  return store.db.transaction().execute(async (tx) => {
    const environment = await holdEnvironmentOf(tx, { organisationId, environmentId });
    const { name: subject } = await holdDatabase(tx, databaseId);
    const link = await findLink(tx, { environmentId, variable });
    if (link?.database_id === databaseId) return link;
    if (link) {
      throw conflict(`${variable} of this environment holds the address of another database. Disconnect that first.`);
    }
    if (Object.hasOwn(openVariables(keyring, environment), variable)) {
      throw conflict(
        `This environment has a variable ${variable} of its own. Remove it first, or choose another name.`,
      );
    }
    const { application_id: applicationId } = environment;
    const deed = { organisationId, applicationId, environmentId, databaseId, subject, caller };
    await recordActivity(tx, { ...deed, action: 'database_connected' });
    return insertLink(tx, { environmentId, variable, databaseId });
  });
}

/** What runs keeps the address that it has, until the next deployment. */
export async function disconnectDatabase(
  { store }: Pick<DatabasesDeps, 'store'>,
  { database, environmentId, variable, caller }: LinkRequest,
): Promise<void> {
  await store.db.transaction().execute(async (tx) => {
    const removed = await removeLink(tx, { environmentId, variable, databaseId: database.id });
    if (!removed) throw notFound(`A connection to that environment as ${variable}`);
    const { organisation_id: organisationId, name: subject } = database;
    const { applicationId } = removed;
    const deed = { organisationId, applicationId, environmentId, databaseId: database.id, subject, caller };
    await recordActivity(tx, { ...deed, action: 'database_disconnected' });
  });
}

/** An environment of another organisation is as unknown as one that never was. */
async function holdEnvironmentOf(
  tx: Tx,
  { organisationId, environmentId }: { organisationId: string; environmentId: string },
): Promise<EnvironmentRow> {
  const environment = await lockEnvironment(tx, environmentId);
  if (environment?.organisation_id !== organisationId) throw notFound('Environment');
  if (environment.status === 'deleting') throw conflict('This environment is being deleted.');
  return environment;
}

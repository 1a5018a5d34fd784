import type { databases } from '@lilac/contract/databases';
import type { BodyOf } from '@lilac/contract/endpoint';
import { pathsOf } from '../../config.ts';
import type { Tx } from '../../db/pool.ts';
import type { DatabaseRow } from '../../db/schema.ts';
import type { Engine } from '../../engines/engine.ts';
import { largestStorageGb } from '../../engines/host/largest-storage.ts';
import type { Caller, OrganisationAccess } from '../../http/handler.ts';
import { notFound } from '../../lib/fault.ts';
import { newId } from '../../lib/ids.ts';
import type { Action } from '../activity/activity.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { holdFolder } from '../applications/application-store.ts';
import { assertRegion } from '../environments/region.ts';
import { allocatePort } from './allocate-port.ts';
import { requireVersion } from './availability.ts';
import { insertDatabase } from './database-store.ts';
import { newDatabaseName, newPassword, newUserName } from './database.ts';
import type { DatabasesDeps } from './databases-deps.ts';
import { assertInnerName } from './inner-names.ts';
import { enqueueFor, provisionJob, type ServerColumns } from './job-kinds.ts';
import { readNetworks } from './networks.ts';
import { sealPassword } from './password.ts';
import { insertServer } from './server-store.ts';
import { assertStorage } from './storage-limit.ts';
import { assertTier, thisMachine } from './tier.ts';

type Body = BodyOf<(typeof databases)['databases.create']>;

export type CreateDeps = Pick<DatabasesDeps, 'store' | 'config' | 'keyring' | 'engines'>;

export interface CreateRequest {
  organisation: Pick<OrganisationAccess, 'id'>;
  caller: Caller;
  body: Body;
}

const DEFAULT_REGION = 'local';

/** Nothing is written before everything that was asked for is known to be possible here. */
export async function createDatabase(deps: CreateDeps, request: CreateRequest): Promise<DatabaseRow> {
  const engine = deps.engines[request.body.databaseType];
  const database = readDatabase(request, engine);
  assertStorage(database.storage_gb, await largestStorageGb(pathsOf(deps.config).databases));
  const version = await requireVersion(engine);
  return deps.store.db.transaction().execute((tx) => foundDatabase(tx, deps, { ...database, version }));
}

export interface NewDatabase
  extends
    ServerColumns,
    Pick<DatabaseRow, 'name' | 'database_type' | 'version' | 'region' | 'database_name' | 'admin_user'> {
  organisationId: string;
  folderId: string | null;
  password: string;
  caller: Caller;
  /** What its activity calls this. */
  action: Extract<Action, 'database_created' | 'database_restored'>;
}

/** The rows of a database with its first server, and the job that makes it, all or nothing. */
export async function foundDatabase(
  tx: Tx,
  { config, keyring }: Pick<DatabasesDeps, 'config' | 'keyring'>,
  { organisationId, folderId, password, caller, action, ...columns }: NewDatabase,
): Promise<DatabaseRow> {
  if (folderId !== null && !(await holdFolder(tx, { organisationId, folderId }))) throw notFound('Folder');
  const id = newId('db');
  const port = await allocatePort(tx, config);
  const database = await insertDatabase(tx, {
    ...columns,
    id,
    organisation_id: organisationId,
    project_id: folderId,
    admin_password: sealPassword(keyring, { databaseId: id, column: 'admin_password', password }),
    status: 'provisioning',
    port,
  });
  // The first server listens at the database's own port, so that nothing stands in between.
  await insertServer(tx, { id: newId('dbs'), database_id: id, role: 'primary', port });
  await enqueueFor(tx, provisionJob, database, {});
  await recordActivity(tx, { organisationId, databaseId: id, action, subject: database.name, caller });
  return database;
}

function readDatabase({ organisation, caller, body }: CreateRequest, engine: Engine): Omit<NewDatabase, 'version'> {
  const { databaseName = newDatabaseName(), adminUser = newUserName(), adminPassword = newPassword() } = body;
  const { region = DEFAULT_REGION, authorizedNetworks = [] } = body;
  assertTier(body.tier, thisMachine());
  assertRegion(region);
  assertInnerName('databaseName', databaseName);
  assertInnerName('adminUser', adminUser);
  return {
    organisationId: organisation.id,
    folderId: body.projectId ?? null,
    name: body.name.trim(),
    database_type: body.databaseType,
    tier: body.tier,
    region,
    storage_gb: body.storageGb,
    ha_enabled: body.haEnabled,
    public_ip_enabled: body.publicIpEnabled,
    authorized_networks: readNetworks(authorizedNetworks, engine),
    database_name: databaseName,
    admin_user: adminUser,
    password: adminPassword,
    caller,
    action: 'database_created',
  };
}

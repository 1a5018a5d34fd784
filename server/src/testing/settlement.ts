import type {
  ApplicationRow,
  DatabaseRow,
  DeploymentRow,
  EnvironmentRow,
  ProjectRow,
  UploadRow,
} from '../db/schema.ts';
import { sha256 } from '../lib/hash.ts';
import { newId } from '../lib/ids.ts';
import { recordActivity } from '../modules/activity/record-activity.ts';
import { insertLink } from '../modules/databases/links/link-store.ts';
import { insertDomain } from '../modules/domains/domain-store.ts';
import { insertAttempt } from '../modules/vcs/attempts/attempt-store.ts';
import { linkConnection } from '../modules/vcs/connections/connection-link-store.ts';
import { saveConnection } from '../modules/vcs/connections/connection-store.ts';
import * as installations from '../modules/vcs/installations/installation-store.ts';
import {
  createApiKey,
  createApplication,
  createDatabase,
  createDeployment,
  createOwner,
  createProject,
  createUpload,
  productionOf,
  unique,
  type TestOwner,
} from './factories.ts';
import type { TestApi } from './harness.ts';

/** One organisation with something of every kind in it. */
export interface Settlement {
  organisationId: string;
  owner: TestOwner;
  application: ApplicationRow;
  environment: EnvironmentRow;
  /** Of an application that no test renames. */
  subdomain: string;
  deployment: DeploymentRow;
  database: DatabaseRow;
  backupId: string;
  upload: UploadRow;
  project: ProjectRow;
  keyId: string;
  adminKey: string;
  readOnlyKey: string;
  invitationId: string;
  invitationToken: string;
  connections: Record<'provider2' | 'provider3', string>;
  installationId: number;
}

export async function settle(api: TestApi): Promise<Settlement> {
  const owner = await createOwner(api);
  const { organisationId } = owner;
  const project = await createProject(api, { organisationId });
  const adminKey = await createApiKey(api, { organisationId, role: 'admin' });
  const application = await createApplication(api, { organisationId, projectId: project.id });
  const environment = await productionOf(api, application.id);
  // No server is behind it, and nobody should wait for one.
  const database = await createDatabase(api, { organisationId, status: 'provisioning' });
  const second = await createApplication(api, { organisationId });
  await insertAround(api, { owner, database, environment: await productionOf(api, second.id) });
  return {
    organisationId,
    owner,
    project,
    application,
    environment,
    subdomain: second.slug,
    deployment: await createDeployment(api, environment),
    database,
    backupId: await insertBackup(api, database),
    upload: await createUpload(api, { organisationId }),
    keyId: adminKey.keyId,
    adminKey: adminKey.secret,
    readOnlyKey: (await createApiKey(api, { organisationId, role: 'user' })).secret,
    ...(await insertInvitation(api, organisationId)),
    connections: {
      provider2: await connect(api, owner, 'provider2'),
      provider3: await connect(api, owner, 'provider3'),
    },
    installationId: await insertInstallation(api, owner),
  };
}

/** What has no id of its own in the API. */
async function insertAround(
  { store, clock }: TestApi,
  of: { owner: TestOwner; environment: EnvironmentRow; database: DatabaseRow },
): Promise<void> {
  const { owner, environment, database } = of;
  const { organisationId, userId } = owner;
  const now = clock.now();
  const later = new Date(now.getTime() + 24 * 3600 * 1000);
  const hostname = `${unique('www')}.example.org`;
  const domain = { id: newId('dom'), organisationId, environmentId: environment.id, hostname, isApex: false };
  const caller = { kind: 'session', userId, sessionId: owner.sessionId } as const;
  await store.db.transaction().execute(async (tx) => {
    await insertDomain(tx, { ...domain, nextCheckAt: later });
    await insertLink(tx, { environmentId: environment.id, databaseId: database.id, variable: 'DATABASE_URL' });
    const attempt = { id: newId('vca'), organisationId, userId, provider: 'provider2' } as const;
    await insertAttempt(tx, { ...attempt, now, expiresAt: later });
    await recordActivity(tx, { organisationId, subject: 'production', action: 'environment_created', caller });
  });
}

async function insertBackup({ store }: TestApi, database: DatabaseRow): Promise<string> {
  const id = newId('bak');
  await store.db
    .insertInto('database_backups')
    .values({
      id,
      database_id: database.id,
      organisation_id: database.organisation_id,
      purpose: 'manual',
      status: 'ready',
      object_key: `backups/${id}`,
      size: 1,
      sha256: 'x',
    })
    .execute();
  return id;
}

function connect(
  { store, keyring }: TestApi,
  { organisationId, userId }: TestOwner,
  provider: 'provider2' | 'provider3',
): Promise<string> {
  const person = { id: unique('host-user'), login: unique('login') };
  const seal = (row: string) => keyring.seal('{}', { table: 'vcs_connections', column: 'tokens', row });
  return store.db.transaction().execute(async (tx) => {
    const connection = await saveConnection(tx, { provider, userId, person, seal });
    await linkConnection(tx, { organisationId, connection });
    return connection.id;
  });
}

let lastInstallation = 4000;

async function insertInstallation({ store }: TestApi, { organisationId, userId }: TestOwner): Promise<number> {
  const id = ++lastInstallation;
  await store.db.transaction().execute(async (tx) => {
    await tx
      .insertInto('vcs_installations')
      .values({
        id,
        account_id: id,
        account_login: unique('account'),
        account_type: 'organisation',
        repository_selection: 'all',
        url: `https://example.org/installations/${id}`,
      })
      .execute();
    await installations.insertLink(tx, { organisationId, installationId: id, userId });
  });
  return id;
}

async function insertInvitation(
  { store, clock }: TestApi,
  organisationId: string,
): Promise<Pick<Settlement, 'invitationId' | 'invitationToken'>> {
  const invitationId = newId('inv');
  const invitationToken = unique('invitation-token');
  await store.db
    .insertInto('invitations')
    .values({
      id: invitationId,
      organisation_id: organisationId,
      email: `${unique('invited')}@example.org`,
      role: 'user',
      token_hash: sha256(invitationToken),
      expires_at: new Date(clock.now().getTime() + 24 * 3600 * 1000),
    })
    .execute();
  return { invitationId, invitationToken };
}

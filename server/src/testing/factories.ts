import { randomBytes } from 'node:crypto';
import type { KeyRole, Role } from '@lilac/contract/permissions';
import type { Plan } from '@lilac/contract/plans';
import type { Store } from '../db/pool.ts';
import type { Keyring } from '../secrets/keyring.ts';
import type {
  ApplicationRow,
  DatabaseRow,
  DeploymentRow,
  EnvironmentRow,
  ProjectRow,
  UploadRow,
} from '../db/schema.ts';
import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import type { AccessTokens } from '../modules/accounts/access-token.ts';
import { createSession } from '../modules/accounts/create-session.ts';
import { hashPassword } from '../modules/accounts/password.ts';
import { mintApiKey } from '../modules/api-keys/api-key.ts';
import { createOrganisation } from '../modules/organisations/create-organisation.ts';

export interface TestUser {
  userId: string;
  email: string;
  password: string;
  sessionId: string;
  /** An access token. */
  token: string;
  refreshToken: string;
}

export interface TestOwner extends TestUser {
  organisationId: string;
}

/** What a factory writes to; a test API has it all. */
interface StoreOnly {
  store: Pick<Store, 'db'>;
}

interface Backend extends StoreOnly {
  clock: Clock;
  accessTokens: AccessTokens;
}

const PASSWORD = 'correct horse battery staple';
/** Hashing takes long; every test account has the same password. */
let passwordHash: Promise<string> | undefined;

/** A signed-in person who belongs to no organisation. */
export async function createUser(api: Backend, { email = uniqueEmail() }: { email?: string } = {}): Promise<TestUser> {
  const userId = newId('usr');
  const hash = await (passwordHash ??= hashPassword(PASSWORD));
  await api.store.db
    .insertInto('users')
    .values({ id: userId, email, first_name: 'Test', password_hash: hash })
    .execute();
  const session = await createSession(api, { userId, kind: 'cli', device: 'a test', address: null });
  return { userId, email, password: PASSWORD, ...session };
}

/** A signed-in person and the organisation they own. */
export async function createOwner(
  api: Backend,
  { plan = 'pro', name, email }: { plan?: Plan; name?: string; email?: string } = {},
): Promise<TestOwner> {
  const user = await createUser(api, { email });
  const organisation = await api.store.db
    .transaction()
    .execute((tx) => createOrganisation(tx, { name: name ?? unique('Organisation'), plan, ownerId: user.userId }));
  return { ...user, organisationId: organisation.id };
}

/** A signed-in person with a role in an organisation that exists. */
export async function createMember(
  api: Backend,
  { organisationId, role = 'user' }: { organisationId: string; role?: Role },
): Promise<TestOwner> {
  const user = await createUser(api);
  await api.store.db
    .insertInto('memberships')
    .values({ organisation_id: organisationId, user_id: user.userId, role })
    .execute();
  return { ...user, organisationId };
}

export interface KeyToCreate {
  organisationId: string;
  role?: KeyRole;
  expiresAt?: Date;
  revokedAt?: Date;
}

export async function createApiKey(
  api: StoreOnly,
  { organisationId, role = 'admin', expiresAt, revokedAt }: KeyToCreate,
): Promise<{ keyId: string; secret: string }> {
  const key = mintApiKey();
  const keyId = newId('key');
  await api.store.db
    .insertInto('api_keys')
    .values({
      id: keyId,
      public_id: key.publicId,
      organisation_id: organisationId,
      name: 'A test key',
      prefix: key.prefix,
      role,
      secret_hash: key.secretHash,
      expires_at: expiresAt ?? null,
      revoked_at: revokedAt ?? null,
    })
    .execute();
  return { keyId, secret: key.text };
}

export function createProject(
  api: StoreOnly,
  { organisationId, name = unique('Folder') }: { organisationId: string; name?: string },
): Promise<ProjectRow> {
  return api.store.db
    .insertInto('projects')
    .values({ id: newId('fld'), organisation_id: organisationId, name })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** An application with its production environment, as a first deployment would leave them. */
export async function createApplication(
  api: StoreOnly,
  { organisationId, projectId = null, name }: { organisationId: string; projectId?: string | null; name?: string },
): Promise<ApplicationRow> {
  const slug = unique('app').toLowerCase();
  const application = await api.store.db
    .insertInto('applications')
    .values({
      id: newId('app'),
      organisation_id: organisationId,
      project_id: projectId,
      name: name ?? slug,
      slug,
      deployment_type: 'static',
      framework: 'react',
      vcs_repo_url: 'https://example.org/a/repository',
      vcs_branch: 'main',
      source_type: 'vcs',
      status: 'healthy',
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await api.store.db
    .insertInto('environments')
    .values({
      id: newId('env'),
      organisation_id: organisationId,
      application_id: application.id,
      name: 'production',
      subdomain: slug,
      vcs_branch: 'main',
      is_production: true,
      status: 'healthy',
    })
    .execute();
  return application;
}

export function productionOf(api: StoreOnly, applicationId: string): Promise<EnvironmentRow> {
  return api.store.db
    .selectFrom('environments')
    .selectAll()
    .where('application_id', '=', applicationId)
    .where('is_production', '=', true)
    .executeTakeFirstOrThrow();
}

/** A deployment that was released a moment ago. */
export function createDeployment(
  api: StoreOnly,
  environment: EnvironmentRow,
  values: Partial<Pick<DeploymentRow, 'status' | 'stage' | 'artifact_id' | 'upload_id'>> = {},
): Promise<DeploymentRow> {
  return api.store.db
    .insertInto('deployments')
    .values({
      id: newId('dep'),
      organisation_id: environment.organisation_id,
      application_id: environment.application_id,
      environment_id: environment.id,
      status: 'healthy',
      stage: 'released',
      vcs_branch: 'main',
      commit_sha: randomBytes(20).toString('hex'),
      commit_message: 'A change',
      completed_at: new Date(),
      released_at: new Date(),
      ...values,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** A reservation whose bytes have not come. */
export function createUpload(
  api: StoreOnly,
  { organisationId, status = 'reserved' }: { organisationId: string; status?: UploadRow['status'] },
): Promise<UploadRow> {
  const id = newId('upl');
  return api.store.db
    .insertInto('uploads')
    .values({
      id,
      organisation_id: organisationId,
      status,
      file_name: 'source.zip',
      content_type: 'application/zip',
      storage_path: `uploads/${organisationId}/${id}.zip`,
      expires_at: new Date(Date.now() + 15 * 60 * 1000),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function unique(word: string): string {
  return `${word}-${randomBytes(5).toString('hex')}`;
}

function uniqueEmail(): string {
  return `${unique('person')}@example.org`;
}

let lastPort = 40_000;

/** A row only: no server runs behind it. */
export async function createDatabase(
  api: StoreOnly & { keyring: Keyring },
  {
    organisationId,
    name = unique('Database'),
    status = 'healthy',
  }: { organisationId: string; name?: string; status?: DatabaseRow['status'] },
): Promise<DatabaseRow> {
  const id = newId('db');
  return api.store.db
    .insertInto('databases')
    .values({
      id,
      organisation_id: organisationId,
      name,
      database_type: 'postgresql',
      version: '18',
      tier: 'db-f1-micro',
      region: 'local',
      storage_gb: 10,
      ha_enabled: false,
      public_ip_enabled: true,
      database_name: 'app',
      admin_user: 'admin',
      admin_password: api.keyring.seal('a-password-of-tests', {
        table: 'databases',
        column: 'admin_password',
        row: id,
      }),
      status,
      step: 'settled',
      percent: 100,
      port: ++lastPort,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

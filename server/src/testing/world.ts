import type {
  ApplicationRow,
  DatabaseRow,
  DeploymentRow,
  EnvironmentRow,
  ProjectRow,
  UploadRow,
} from '../db/schema.ts';
import { readConfig } from '../config.ts';
import { newId } from '../lib/ids.ts';
import { sha256 } from '../lib/hash.ts';
import { createSession } from '../modules/accounts/create-session.ts';
import {
  createApiKey,
  createApplication,
  createDatabase,
  createDeployment,
  createMember,
  createOwner,
  createProject,
  createUpload,
  createUser,
  productionOf,
  unique,
  type TestOwner,
} from './factories.ts';
import { startGitHost } from './git-host.ts';
import { startApi, type ApiOptions, type TestApi } from './harness.ts';

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
  upload: UploadRow;
  project: ProjectRow;
  keyId: string;
  adminKey: string;
  readOnlyKey: string;
  invitationId: string;
}

/** Two organisations that must not see each other, one that does not pay, and every kind of bad credential. */
export interface World extends AsyncDisposable {
  api: TestApi;
  ours: Settlement;
  theirs: Settlement;
  /** Of our organisation. */
  admin: TestOwner;
  member: TestOwner;
  freeKey: string;
  revokedKey: string;
  expiredKey: string;
  expiredToken: string;
  /** Access tokens of the owner of ours that have not run out, though their session is over. */
  endedSessions: Record<'revoked' | 'expired' | 'forgotten' | "somebody else's", string>;
}

export async function createWorld(options: ApiOptions = {}): Promise<World> {
  // One that answers, and has nothing.
  const git = await startGitHost();
  const { vcsUrls, vcsTrusted } = readConfig({ LILAC_VCS_URL: git.url });
  const api = await startApi({ ...options, config: { vcsUrls, vcsTrusted, ...options.config } });
  const ours = await settle(api);
  const { organisationId } = ours;
  const free = await createOwner(api, { plan: 'free' });
  const expiredToken = ours.owner.token;
  // Everything below is issued after this token has run out.
  api.clock.advance(16 * 60 * 1000);
  const fresh = await api.accessTokens.issue(ours.owner);
  const past = new Date(api.clock.now().getTime() - 1000);
  return {
    api,
    ours: { ...ours, owner: { ...ours.owner, token: fresh } },
    theirs: await settle(api),
    admin: await createMember(api, { organisationId, role: 'admin' }),
    member: await createMember(api, { organisationId, role: 'user' }),
    freeKey: (await createApiKey(api, { organisationId: free.organisationId })).secret,
    revokedKey: (await createApiKey(api, { organisationId, revokedAt: past })).secret,
    expiredKey: (await createApiKey(api, { organisationId, expiresAt: past })).secret,
    expiredToken,
    endedSessions: await endSessions(api, ours.owner),
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]();
      await git[Symbol.asyncDispose]();
    },
  };
}

async function settle(api: TestApi): Promise<Settlement> {
  const owner = await createOwner(api);
  const { organisationId } = owner;
  const project = await createProject(api, { organisationId });
  const adminKey = await createApiKey(api, { organisationId, role: 'admin' });
  const application = await createApplication(api, { organisationId, projectId: project.id });
  const environment = await productionOf(api, application.id);
  return {
    organisationId,
    owner,
    project,
    application,
    environment,
    subdomain: (await createApplication(api, { organisationId })).slug,
    deployment: await createDeployment(api, environment),
    // No server is behind it, and nobody should wait for one.
    database: await createDatabase(api, { organisationId, status: 'provisioning' }),
    upload: await createUpload(api, { organisationId }),
    keyId: adminKey.keyId,
    adminKey: adminKey.secret,
    readOnlyKey: (await createApiKey(api, { organisationId, role: 'user' })).secret,
    invitationId: await insertInvitation(api, organisationId),
  };
}

async function endSessions(api: TestApi, { userId }: TestOwner): Promise<World['endedSessions']> {
  const now = api.clock.now();
  const tokenOf = async (end: { revoked_at: Date } | { expires_at: Date }) => {
    const { token, sessionId } = await createSession(api, { userId, kind: 'cli', device: 'x', address: null });
    await api.store.db.updateTable('sessions').set(end).where('id', '=', sessionId).execute();
    return token;
  };
  const stranger = await createUser(api);
  return {
    revoked: await tokenOf({ revoked_at: now }),
    expired: await tokenOf({ expires_at: now }),
    forgotten: await api.accessTokens.issue({ userId, sessionId: 'ses_forgotten' }),
    "somebody else's": await api.accessTokens.issue({ userId, sessionId: stranger.sessionId }),
  };
}

async function insertInvitation({ store, clock }: TestApi, organisationId: string): Promise<string> {
  const id = newId('inv');
  await store.db
    .insertInto('invitations')
    .values({
      id,
      organisation_id: organisationId,
      email: `${unique('invited')}@example.org`,
      role: 'user',
      token_hash: sha256(id),
      expires_at: new Date(clock.now().getTime() + 24 * 3600 * 1000),
    })
    .execute();
  return id;
}

import { readConfig } from '../config.ts';
import { createSession } from '../modules/accounts/create-session.ts';
import { createApiKey, createMember, createOwner, createUser, type TestOwner } from './factories.ts';
import { startGitHost, type GitHost } from './git-host.ts';
import { startApi, type ApiOptions, type TestApi } from './harness.ts';
import { settle, type Settlement } from './settlement.ts';

/** Two organisations that must not see each other, one that does not pay, and every kind of bad credential. */
export interface World extends AsyncDisposable {
  api: TestApi;
  /** The host of repositories: one that answers, and has nothing. */
  git: GitHost;
  ours: Settlement;
  theirs: Settlement;
  /** Of our organisation. */
  admin: TestOwner;
  member: TestOwner;
  freeKey: string;
  revokedKey: string;
  expiredKey: string;
  expiredToken: string;
  /** What the platform hands out that is no credential of the API: to refresh, to join, to become a device. */
  strayProofs: string[];
  /** Access tokens of the owner of ours that have not run out, though their session is over. */
  endedSessions: Record<'revoked' | 'expired' | 'forgotten' | "somebody else's", string>;
}

export async function createWorld(options: ApiOptions = {}): Promise<World> {
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
    git,
    ours: { ...ours, owner: { ...ours.owner, token: fresh } },
    theirs: await settle(api),
    admin: await createMember(api, { organisationId, role: 'admin' }),
    member: await createMember(api, { organisationId, role: 'user' }),
    freeKey: (await createApiKey(api, { organisationId: free.organisationId })).secret,
    revokedKey: (await createApiKey(api, { organisationId, revokedAt: past })).secret,
    expiredKey: (await createApiKey(api, { organisationId, expiresAt: past })).secret,
    expiredToken,
    strayProofs: [ours.owner.refreshToken, ours.invitationToken, await newDeviceCode(api)],
    endedSessions: await endSessions(api, ours.owner),
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]();
      await git[Symbol.asyncDispose]();
    },
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

async function newDeviceCode(api: TestApi): Promise<string> {
  const { body } = await api.call('/api/auth/device/code', { body: { client_id: 'lilac-cli' } });
  return body.device_code as string;
}

import { generateKeyPairSync } from 'node:crypto';
import { createEmulator } from 'emulate';
import { rigPeople, rigTeam, type RigLogin } from '../../testing/host-rig.ts';
import { rigLogins } from '../../testing/rig-people.ts';
import type { AppSettings } from '../../vcs-host.ts';

/** The part of the host that others wrote: repositories, git's objects by the API, tokens and what each may do. */
export interface EmulatedGithub extends AsyncDisposable {
  settings: AppSettings;
  request(path: string, init?: RequestInit): Promise<Response>;
  /** As that person, who may do all that is theirs. Throws what the host says when it does not let them. */
  as<T>(login: RigLogin, path: string, call?: { method?: string; body?: unknown }): Promise<T>;
  /** Installations that the app may get at an account, one after the other. */
  installationIds(account: string): readonly number[];
}

export const rigAccounts: readonly string[] = [rigTeam, ...rigLogins];

export const rigPermissions = { contents: 'read', metadata: 'read', statuses: 'write', members: 'read' };

/** It takes installations only from its seed: each account has some to be given, since none is ever given twice. */
const INSTALLATIONS_EACH = 8;

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

const settings: AppSettings = {
  appId: 4711,
  slug: 'lilac-rig',
  clientId: 'Iv1.rig',
  clientSecret: 'the-secret-of-the-client-at-the-rig',
  privateKey,
  webhookSecret: 'the-secret-of-the-webhooks-at-the-rig',
};

export async function startEmulatedGithub(): Promise<EmulatedGithub> {
  const ownTokens = Object.fromEntries(rigLogins.map((login) => [ownToken(login), { login }]));
  const emulator = await createEmulator({
    service: 'github',
    port: 0,
    seed: { tokens: ownTokens, github: seed() },
  });
  const origin = emulator.url.replace('localhost', '127.0.0.1');
  const request = (path: string, init?: RequestInit) => fetch(origin + path, { redirect: 'manual', ...init });
  return {
    settings,
    request,
    installationIds,
    async as<T>(login: RigLogin, path: string, { method = 'GET', body }: { method?: string; body?: unknown } = {}) {
      const response = await request(path, {
        method,
        headers: { authorization: `Bearer ${ownToken(login)}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return (text ? JSON.parse(text) : null) as T;
    },
    [Symbol.asyncDispose]: () => emulator.close(),
  };
}

const ownToken = (login: RigLogin) => `own-token-of-${login}`;

function installationIds(account: string): number[] {
  const first = 50_000 + 100 * rigAccounts.indexOf(account);
  return Array.from({ length: INSTALLATIONS_EACH }, (_, index) => first + index);
}

function seed() {
  return {
    users: rigLogins.map((login) => ({ login, name: login, email: `${login}@example.org` })),
    orgs: [
      {
        login: rigTeam,
        members: [
          { login: rigPeople.owner, role: 'admin' },
          { login: rigPeople.member, role: 'member' },
        ],
      },
    ],
    oauth_apps: [
      {
        client_id: settings.clientId,
        client_secret: settings.clientSecret,
        name: settings.slug,
        redirect_uris: [],
      },
    ],
    apps: [
      {
        app_id: settings.appId,
        slug: settings.slug,
        name: settings.slug,
        private_key: settings.privateKey,
        permissions: rigPermissions,
        events: ['push'],
        installations: rigAccounts.flatMap((account) =>
          installationIds(account).map((id) => ({ installation_id: id, account, repository_selection: 'all' })),
        ),
      },
    ],
  };
}

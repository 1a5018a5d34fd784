import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBitbucketRig } from '../server/src/vcs/testing/bitbucket-rig.ts';
import { startGithubRig, type GithubRig } from '../server/src/vcs/testing/github-rig.ts';
import { startGitlabRig } from '../server/src/vcs/testing/gitlab-rig.ts';
import type { ConnectionRig } from '../server/src/vcs/testing/connection-rig.ts';
import type { RigLogin } from '../server/src/vcs/testing/host-rig.ts';
import { createAccount, type Account } from './acknowledged-writes.ts';
import { createDeployer, type Deployer } from './deploying.ts';
import { findFreePort, startPlatform, type Platform } from './platform.ts';

export interface HostsWorld extends AsyncDisposable {
  platform: Platform;
  account: Account;
  deployer: Deployer;
  rigs: { provider1: GithubRig; provider2: ConnectionRig; provider3: ConnectionRig };
}

/** The three hosts on loopback, and a platform that the operator has made known to them. */
export async function openHostsWorld(): Promise<HostsWorld> {
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const [provider1, provider2, provider3] = await Promise.all([
    startGithubRig(),
    startGitlabRig(),
    startBitbucketRig(),
  ]);
  provider1.sendsBackTo(`${url}/api/vcs-app/callback`);
  provider1.hooksTo(`${url}/api/vcs-app/webhook`);
  const platform = await startPlatform({
    port,
    env: {
      LILAC_VCS_URL: provider1.url,
      LILAC_VCS_API_URL: provider1.apiUrl,
      LILAC_PROVIDER2_URL: provider2.url,
      LILAC_PROVIDER2_API_URL: provider2.apiUrl,
      LILAC_PROVIDER3_URL: provider3.url,
      LILAC_PROVIDER3_API_URL: provider3.apiUrl,
      LILAC_RATE_LIMIT: '1000000',
    },
  });
  const { appId, slug, clientId, ...secrets } = provider1.settings;
  await setUp(platform, 'provider1', { appId, slug, clientId }, secrets);
  for (const { provider, settings } of [provider2, provider3]) {
    await setUp(platform, provider, { clientId: settings.clientId }, { clientSecret: settings.clientSecret });
  }
  const account = await createAccount(platform);
  return {
    platform,
    account,
    deployer: createDeployer(platform, account),
    rigs: { provider1, provider2, provider3 },
    async [Symbol.asyncDispose]() {
      await platform[Symbol.asyncDispose]();
      for (const rig of [provider1, provider2, provider3]) await rig[Symbol.asyncDispose]();
    },
  };
}

const dashed = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** As an operator does it: `lilac admin vcs set`, the secrets from files. */
async function setUp(
  platform: Platform,
  provider: string,
  open: Record<string, string | number>,
  secrets: Record<string, string>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-host-secrets-'));
  try {
    const files = Object.entries(secrets).map(([name, secret]) => {
      const file = join(folder, name);
      writeFileSync(file, secret);
      chmodSync(file, 0o600);
      return [`--${dashed(name)}-file`, file];
    });
    const values = Object.entries(open).map(([name, value]) => [`--${dashed(name)}`, String(value)]);
    const { exitCode, stdout, stderr } = await platform.lilac(
      'admin',
      'vcs',
      'set',
      provider,
      ...[...values, ...files].flat(),
    );
    if (exitCode !== 0) throw new Error(stdout + stderr);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export interface Begun {
  /** Where the person is sent to. */
  url: string;
  /** What their browser keeps meanwhile. */
  cookie: string;
}

/** What the console does when somebody wants to install or connect. */
export async function begin({ platform, account }: HostsWorld, path: string): Promise<Begun> {
  const answer = await fetch(`${platform.url}/api/${path}?organisationId=${account.organisationId}`, {
    headers: { authorization: `Bearer ${account.token}` },
  });
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
  const { url } = (await answer.json()) as { url: string };
  return {
    url,
    cookie: answer.headers
      .getSetCookie()
      .map((each) => each.split(';', 1)[0])
      .join('; '),
  };
}

/** The whole way of a browser: to the host, where that person says yes, and back to the platform. Answers its page. */
export async function goThrough(
  rig: { signIn(url: string, person: { login: RigLogin }): Promise<string> },
  { url, cookie }: Begun,
  login: RigLogin,
): Promise<{ status: number; text: string }> {
  let back = await rig.signIn(url, { login });
  for (let hop = 0; hop < 3; hop++) {
    const answer = await fetch(back, { headers: { cookie }, redirect: 'manual' });
    const next = answer.headers.get('location');
    if (!next) return { status: answer.status, text: await answer.text() };
    // The platform may want to know from the host who it is.
    if (!next.startsWith(new URL(url).origin)) return { status: answer.status, text: next };
    back = await rig.signIn(next, { login });
  }
  throw new Error('The platform and the host send the browser to and fro.');
}

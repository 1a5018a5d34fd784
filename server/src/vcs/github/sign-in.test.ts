import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGithubRig, type GithubRig } from '../testing/github-rig.ts';
import type { RigLogin } from '../testing/host-rig.ts';
import type { AppHost } from '../vcs-host.ts';
import { appManifest } from './app-manifest.ts';
import { convertManifest } from './convert-manifest.ts';
import { createHostFetch } from '../host-fetch.ts';
import { hostAt } from './testing/host-at.ts';

const redirectUrl = 'http://127.0.0.1:9/api/vcs-app/callback';
let rig: GithubRig;
let host: AppHost;
beforeAll(async () => {
  rig = await startGithubRig();
  rig.sendsBackTo(redirectUrl);
  host = hostAt(rig);
});
afterAll(() => rig[Symbol.asyncDispose]());

async function codeOf(login: RigLogin): Promise<string> {
  const back = await rig.signIn(host.authorizeUrl({ state: 'a state', redirectUrl }), { login });
  expect(new URL(back).searchParams.get('state')).toBe('a state');
  return new URL(back).searchParams.get('code') ?? '';
}

describe('people who sign in', () => {
  it('give a code that is good once', async () => {
    const code = await codeOf('alice');
    const tokens = await host.redeemCode({ code, redirectUrl });
    expect(tokens.expiresAt).toBeGreaterThan(Date.now() + 3_600_000);
    expect(await host.findPerson(tokens.accessToken)).toMatchObject({ login: 'alice' });
    await expect(host.redeemCode({ code, redirectUrl })).rejects.toMatchObject({ code: 'VA001' });
    await expect(host.redeemCode({ code: 'invented', redirectUrl })).rejects.toMatchObject({ code: 'VA001' });
  });

  it('are refreshed, and what was before is good no longer', async () => {
    const first = await host.redeemCode({ code: await codeOf('bob'), redirectUrl });
    const second = await host.refreshTokens(first.refreshToken ?? '');
    expect(await host.findPerson(second?.accessToken ?? '')).toMatchObject({ login: 'bob' });
    expect(await host.findPerson(first.accessToken)).toBeNull();
    expect(await host.refreshTokens(first.refreshToken ?? '')).toBeNull();
  });

  it('who take it back are nobody', async () => {
    const { accessToken, refreshToken } = await rig.tokenOf('carol');
    await rig.takeBack('carol');
    expect(await host.findPerson(accessToken)).toBeNull();
    expect(await host.refreshTokens(refreshToken ?? '')).toBeNull();
    expect(await host.listRepositories({ kind: 'person', accessToken })).toBeNull();
  });

  it('reach what is theirs by their own token', async () => {
    const hers = await rig.createRepository('carol/mine', { isPrivate: true, files: { a: '1' } });
    const accessOf = async (login: RigLogin) =>
      ({ kind: 'person', accessToken: (await rig.tokenOf(login)).accessToken }) as const;
    expect(await host.listRepositories(await accessOf('carol'))).toEqual([hers]);
    expect(await host.findRepository(await accessOf('carol'), hers)).toEqual(hers);
    expect(await host.findRepository(await accessOf('alice'), hers)).toBeNull();
    expect(await host.gitCredential(await accessOf('alice'), hers)).toBeNull();
  });

  it('are told what the operator can mend', async () => {
    const clientSecret = 'an entirely wrong secret';
    const wrong = hostAt(rig, { settings: { ...rig.settings, clientSecret } });
    const refused = wrong.redeemCode({ code: await codeOf('bob'), redirectUrl });
    await expect(refused).rejects.toMatchObject({
      code: 'CF001',
      message: expect.stringContaining('operator') as string,
    });
    await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining(clientSecret) as string });
    await expect(wrong.refreshTokens('ghr_any')).rejects.toMatchObject({ code: 'CF001' });
    const none = hostAt(rig, { settings: null });
    expect(() => none.authorizeUrl({ state: 's', redirectUrl })).toThrow('not set up');
    await expect(none.redeemCode({ code: 'c', redirectUrl })).rejects.toMatchObject({ code: 'CF001' });
  });
});

describe('the app', () => {
  const platformUrl = new URL('https://lilac.example.org');
  const addresses = () => ({
    hostUrl: new URL(rig.url),
    platformUrl,
    callbackUrl: redirectUrl,
    webhookUrl: 'https://lilac.example.org/api/vcs-app/webhook',
    redirectUrl: 'https://lilac.example.org/setup?x=1',
  });

  it('is made of a manifest, and told once for its code', async () => {
    const { manifest, postUrl } = appManifest(addresses());
    const form = new URLSearchParams({ manifest: JSON.stringify(manifest) });
    const posted = await fetch(`${postUrl}?state=s`, { method: 'POST', body: form, redirect: 'manual' });
    const back = new URL(posted.headers.get('location') ?? '');
    expect(back.href).toMatch('https://lilac.example.org/setup?x=1&code=');
    const code = back.searchParams.get('code') ?? '';
    const at = new URL(rig.apiUrl);
    const deps = {
      config: { vcsApiUrls: { provider1: at, provider2: at, provider3: at } },
      fetch: createHostFetch(),
    };
    expect(await convertManifest(deps, code)).toEqual(rig.settings);
    await expect(convertManifest(deps, code)).rejects.toMatchObject({ code: 'VA001' });
    await expect(convertManifest(deps, '../user')).rejects.toMatchObject({ code: 'VA001' });
  });

  it('has a name that the host takes, and asks for no more than is needed', () => {
    const long = new URL(`https://${'a-very-long-name.'.repeat(4)}example.org`);
    const { manifest } = appManifest({ ...addresses(), platformUrl: long }) as { manifest: Record<string, unknown> };
    expect(manifest['name']).toMatch(/^Lilac [a-z\d.-]{1,28}$/);
    expect(manifest['default_permissions']).toEqual({
      contents: 'read',
      metadata: 'read',
      statuses: 'write',
      members: 'read',
    });
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { cloneBranches } from '../../testing/git-push.ts';
import { createHostFetch, type HostFetch } from '../host-fetch.ts';
import { startGithubRig, type GithubRig } from '../testing/github-rig.ts';
import type { AppHost, HostAccess, HostRepository } from '../vcs-host.ts';
import { hostAt } from './testing/host-at.ts';

let rig: GithubRig;
let host: AppHost;
let access: HostAccess & { kind: 'installation' };
let site: HostRepository;
let asked: { path: string; body: Record<string, unknown> }[];

/** What is asked of the host, as it is sent. */
function watching(fetch: HostFetch): HostFetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const body = typeof init?.body === 'string' && init.body.startsWith('{') ? init.body : '{}';
    asked.push({ path: url.pathname.replace('/api/v3', ''), body: JSON.parse(body) as Record<string, unknown> });
    return fetch(input, init);
  };
}
const madeTokens = () => asked.filter(({ path }) => path.endsWith('/access_tokens')).map(({ body }) => body);

beforeEach(async () => {
  asked = [];
  rig = await startGithubRig();
  host = hostAt(rig, { fetch: watching(createHostFetch()) });
  access = { kind: 'installation', installationId: await rig.install('acme') };
  site = await rig.createRepository('acme/site', { isPrivate: true, files: { a: '1' } });
});
afterEach(() => rig[Symbol.asyncDispose]());

describe('tokens of an installation', () => {
  it('are for one repository and for what is done there, and nothing more', async () => {
    const sha = await rig.push('acme/site', { files: { a: '2' } });
    await host.gitCredential(access, site);
    expect(madeTokens()).toEqual([{ repositories: ['site'], permissions: { metadata: 'read', contents: 'read' } }]);
    const status = { context: 'lilac/x', description: 'Live', state: 'success', url: 'https://x.example/' } as const;
    await host.writeStatus(access, { ...status, repository: site, sha });
    expect(madeTokens()[1]).toEqual({ repositories: ['site'], permissions: { statuses: 'write' } });
    await host.listRepositories(access);
    expect(madeTokens()[2]).toEqual({ permissions: { metadata: 'read' } });
  });

  it('are used again while they are good for some minutes more', async () => {
    const clock = createFakeClock();
    host = hostAt(rig, { clock, fetch: watching(createHostFetch()) });
    const first = await host.gitCredential(access, site);
    await host.listBranches(access, site);
    clock.advance(49 * 60_000);
    expect(await host.gitCredential(access, { owner: 'ACME', name: 'Site' })).toEqual(first);
    expect(madeTokens()).toHaveLength(1);
    clock.advance(2 * 60_000);
    expect(await host.gitCredential(access, site)).not.toEqual(first);
    expect(madeTokens()).toHaveLength(2);
  });

  it('are made anew when the host no longer takes them', async () => {
    await host.listBranches(access, site);
    await rig.suspend(access.installationId);
    expect(await host.listBranches(access, site)).toBeNull();
    expect(await host.gitCredential(access, site)).toBeNull();
    await rig.resume(access.installationId);
    expect(await host.listBranches(access, site)).toHaveLength(1);
  });

  it('of another account’s repository with the same name are not made', async () => {
    const hers = await rig.createRepository('carol/site', { files: { b: '1' } });
    expect(await host.findRepository(access, hers)).toBeNull();
    expect(await host.listBranches(access, hers)).toBeNull();
    expect(await host.gitCredential(access, hers)).toBeNull();
    expect(await host.findRepository({ kind: 'public' }, hers)).toEqual(hers);
  });
});

describe('an installation that was given some repositories', () => {
  it('reaches those only, also where others are for everybody to read', async () => {
    const open = await rig.createRepository('acme/open', { files: { a: '1' } });
    await rig.choose(access.installationId, ['acme/site']);
    expect(await host.listRepositories(access)).toEqual([site]);
    expect(await host.findRepository(access, open)).toBeNull();
    expect(await host.gitCredential(access, open)).toBeNull();
  });

  it('reaches no longer what was taken from it, whatever tokens were made before', async () => {
    const open = await rig.createRepository('acme/open', { files: { a: '1' } });
    expect(await host.findRepository(access, open)).toEqual(open);
    expect(await host.findRepository(access, site)).toEqual(site);
    const credential = await host.gitCredential(access, site);
    await rig.choose(access.installationId, []);
    expect(await host.findRepository(access, open)).toBeNull();
    expect(await host.findRepository(access, site)).toBeNull();
    expect(await host.listBranches(access, site)).toBeNull();
    expect(await host.listRepositories(access)).toEqual([]);
    await expect(cloneBranches({ url: `${rig.url}/acme/site.git`, credential })).rejects.toThrow('git fetch');
  });
});

it('a name of dots or slashes leads to no other endpoint', async () => {
  for (const name of [
    { owner: '..', name: 'user' },
    { owner: 'acme', name: '..' },
    { owner: 'acme', name: 'a/b' },
    { owner: 'acme/inner', name: 'site' },
    { owner: 'acme', name: 'site?x=1' },
    { owner: '', name: 'site' },
  ]) {
    expect(await host.findRepository(access, name)).toBeNull();
    expect(await host.listBranches(access, name)).toBeNull();
    expect(await host.gitCredential(access, name)).toBeNull();
  }
  expect(asked).toEqual([]);
});

const aPage = () => Promise.resolve(new Response('<html>', { headers: { 'content-type': 'text/html' } }));

it('a host that answers something else is said to be in trouble', async () => {
  const strange = hostAt(rig, { fetch: aPage });
  await expect(strange.findRepository({ kind: 'public' }, site)).rejects.toMatchObject({ retryAfterSeconds: 60 });
  await expect(strange.listInstallations()).rejects.toMatchObject({ retryAfterSeconds: 60 });
  const request = { code: 'c', redirectUrl: 'http://127.0.0.1:9/' };
  await expect(strange.redeemCode(request)).rejects.toMatchObject({ retryAfterSeconds: 60 });
});

import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { visit, type Application } from './deploying.ts';
import { until } from './platform.ts';
import { begin, goThrough, openHostsWorld, type HostsWorld } from './repository-hosts.ts';

/** From the first sign-in at a repository host to environments that come and go with its branches. */
let world: HostsWorld;
beforeAll(async () => {
  world = await openHostsWorld();
});
afterAll(() => world?.[Symbol.asyncDispose]());

const page = (words: string) => ({ 'index.html': `<!doctype html><title>Site</title><h1>${words}</h1>` });

const environmentsOf = async ({ id: applicationId }: Application) => {
  const { client, targetOrganisationId } = world.deployer;
  return client.call('environments.list', { body: { targetOrganisationId, applicationId } });
};

const shows = (url: string, words: string) =>
  until(`${url} shows ${words}`, async () => (await visit(url)).body.includes(words));

interface Told {
  event: string;
  data: Record<string, unknown>;
}

/** Follows a stream until it tells of a link. */
async function follow(name: 'vcs-app.stream' | 'provider2.stream' | 'provider3.stream'): Promise<Told[]> {
  const told: Told[] = [];
  const { client, targetOrganisationId: organisationId } = world.deployer;
  for await (const { event, data } of client.stream(name, { params: { organisationId } })) {
    told.push({ event, data });
    if (event === 'linked') break;
  }
  return told;
}

const stories = [
  { provider: 'provider1', install: 'vcs-app/install', stream: 'vcs-app.stream', repositories: 'vcs-app.repositories' },
  {
    provider: 'provider2',
    install: 'provider2/connect',
    stream: 'provider2.stream',
    repositories: 'provider2.repositories',
  },
  {
    provider: 'provider3',
    install: 'provider3/connect',
    stream: 'provider3.stream',
    repositories: 'provider3.repositories',
  },
] as const;

describe.each(stories)('$provider', ({ provider, install, stream, repositories }) => {
  const fullName = 'acme/shop';
  const [owner, repo] = ['acme', 'shop'];
  let application: Application;
  const rig = () => world.rigs[provider];
  const branchesName = `${provider === 'provider1' ? 'vcs-app' : provider}.branches` as 'vcs-app.branches';

  it('is let in by a person, and everybody who follows sees it', async () => {
    await rig().createRepository(fullName, { isPrivate: true, files: page('First') });
    const following = follow(stream);
    const begun = await begin(world, install);
    const answer = await goThrough(rig(), begun, 'alice');
    expect(answer).toMatchObject({ status: 200, text: expect.stringContaining('linked') });
    const told = await following;
    expect(told.at(-1)).toMatchObject({
      event: 'linked',
      data: { accountLogin: provider === 'provider1' ? 'acme' : 'alice' },
    });
    expect(told.slice(0, -1).every(({ event }) => event === 'status')).toBe(true);
    expect(await goThrough(rig(), begun, 'alice')).toMatchObject({
      status: expect.not.stringMatching('200') as number,
    });
  });

  it('tells which repositories and branches there are', async () => {
    const { client, targetOrganisationId: orgId } = world.deployer;
    const list = await client.call(repositories as 'vcs-app.repositories', { params: { orgId } });
    expect(list).toContainEqual(
      expect.objectContaining({ full_name: fullName, name: repo, private: true, default_branch: 'main' }),
    );
    const branches = await client.call(branchesName, { params: { orgId, owner, repo } });
    expect(branches).toEqual([{ name: 'main', commit_sha: expect.stringMatching(/^[\da-f]{40}$/) as string }]);
  });

  it('gives a private repository to be deployed, and shows how its commit stands', async () => {
    application = await world.deployer.createFromRepository(`Shop of ${provider}`, `${rig().url}/${fullName}`, {
      isPrivate: true,
      autoDeployOnPush: true,
      autoDeployBranches: ['feature/*'],
      autoDeleteStaleEnvs: true,
    });
    const { commit_sha: sha } = await world.deployer.healthy((await world.deployer.newest(application)).id);
    await shows(application.url, 'First');
    await until('the host shows the commit as live', async () => {
      const statuses = await rig().statusesOf(fullName, sha!);
      return statuses.at(-1)?.state === 'success' && statuses.at(-1)!.url.startsWith(application.url);
    });
    expect((await visit(application.url)).status).toBe(200);
  });

  it('tells of a push, and the new commit goes live', async () => {
    if (provider !== 'provider1') await until('its hook is made', () => hasHook());
    const sha = await rig().push(fullName, { files: page('Second'), message: 'Second' });
    await shows(application.url, 'Second');
    expect((await world.deployer.newest(application)).commit_sha).toBe(sha);
  });

  it('tells of a push that is not lost though the worker is killed as it comes, and again', async () => {
    const killWorker = () => world.platform.pids().worker!.forEach((pid) => process.kill(pid, 'SIGKILL'));
    const before = world.platform.pids().worker;
    killWorker();
    const sha = await rig().push(fullName, { files: page('Survivor'), message: 'Survivor' });
    await until('there is another worker', async () => String(world.platform.pids().worker) !== String(before));
    killWorker();
    await shows(application.url, 'Survivor');
    expect((await world.deployer.newest(application)).commit_sha).toBe(sha);
  });

  it('is told to skip a push by its message', async () => {
    await rig().push(fullName, { files: page('Skipped'), message: 'Third [skip deploy]' });
    const sha = await rig().push(fullName, { files: page('Fourth'), message: 'Fourth' });
    await shows(application.url, 'Fourth');
    const { client, targetOrganisationId } = world.deployer;
    const history = await client.call('deployments.list', {
      body: { targetOrganisationId, environmentId: application.environmentId, limit: 10 },
    });
    expect(history.map(({ commit_message: message }) => message?.trim())).not.toContain('Third [skip deploy]');
    expect(history[0]!.commit_sha).toBe(sha);
  });

  it('gives a new branch an environment of its own, which goes when the branch does', async () => {
    await rig().push(fullName, { branch: 'feature/cart', files: page('The cart'), message: 'Cart' });
    await rig().push(fullName, { branch: 'other', files: page('Nobody asked'), message: 'Other' });
    await until('the branch has an environment', async () => (await environmentsOf(application)).length === 2);
    const own = (await environmentsOf(application)).find((each) => !each.is_production)!;
    expect(own).toMatchObject({ vcs_branch: 'feature/cart' });
    await shows(own.url, 'The cart');
    expect((await visit(application.url)).body).toContain('Fourth');
    await rig().deleteBranch(fullName, 'feature/cart');
    await until('its environment is gone', async () => (await environmentsOf(application)).length === 1);
    expect((await visit(own.url)).status).toBe(404);
  });

  it('is not believed when it is somebody else, and does nothing twice', async () => {
    const before = await world.deployer.newest(application);
    const real = rig().deliveries.findLast(({ status, event }) => status === 200 && /push/i.test(event))!;
    const send = (body: Buffer, headers: Record<string, string>, url = real.url) =>
      fetch(url, { method: 'POST', body: new Uint8Array(body), headers: withoutHost(headers) });
    const signature = ['x-hub-signature-256', 'x-gitlab-token', 'x-hub-signature'].find((name) => real.headers[name])!;
    const forged = createHmac('sha256', 'guessed').update(real.body).digest('hex');
    const altered = Buffer.from(real.body.toString().replaceAll('acme', 'evil'));
    const nobodys = real.url.split('?')[0]!;
    for (const [body, headers, url] of [
      [real.body, { ...real.headers, [signature]: `sha256=${forged}` }],
      [real.body, Object.fromEntries(Object.entries(real.headers).filter(([name]) => name !== signature))],
      // GitLab's token says nothing of the body but whose it is.
      ...(provider === 'provider2' ? [] : [[altered, real.headers] as const]),
      // The first host has one address for all repositories.
      ...(provider === 'provider1' ? [] : [[real.body, real.headers, nobodys] as const]),
    ] as const) {
      const refused = await send(body, headers, url);
      expect(refused.status).toBe(401);
      expect(await refused.json()).toMatchObject({ code: expect.any(String) as string });
    }
    expect((await send(real.body, real.headers)).status).toBe(200);
    expect((await world.deployer.newest(application)).id).toBe(before.id);
  });

  it('is waited for when it is down, and its lists are still there', async () => {
    const { client, targetOrganisationId: orgId } = world.deployer;
    const before = await client.call(repositories as 'vcs-app.repositories', { params: { orgId } });
    rig().trouble('down');
    try {
      expect(await client.call(repositories as 'vcs-app.repositories', { params: { orgId } })).toEqual(before);
      const url = `${rig().url}/acme/nothing`;
      await expect(world.deployer.createFromRepository('Unreachable', url, { isPrivate: true })).rejects.toMatchObject({
        message: expect.stringMatching(/answer|reach/i) as string,
      });
    } finally {
      rig().trouble(null);
    }
  });

  /** The platform asks the host for it when the application is made, and nobody waits for that. */
  async function hasHook(): Promise<boolean> {
    await rig().push(fullName, { branch: `probe-${Date.now()}`, files: page('Probe'), message: 'Probe' });
    return rig().deliveries.some(({ status }) => status === 200);
  }
});

describe('an installation', () => {
  it('is linked by nobody but who administers its account', async () => {
    const { client, targetOrganisationId: orgId } = world.deployer;
    const before = await client.call('vcs-app.organisation-installations', { params: { orgId } });
    expect(before.map(({ accountLogin }) => accountLogin)).toEqual(['acme']);
    // Carol installs the app at home, and says on the way back that it was at the team's.
    await client.call('vcs-app.unlink-installation', { params: { orgId, installId: before[0]!.installationId } });
    const { url, cookie } = await begin(world, 'vcs-app/install');
    const back = new URL(await world.rigs.provider1.signIn(url, { login: 'carol', account: 'carol' }));
    back.searchParams.set('installation_id', String(before[0]!.installationId));
    const answer = await fetch(back, { headers: { cookie }, redirect: 'manual' });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('administer') as string]);
    expect(await client.call('vcs-app.organisation-installations', { params: { orgId } })).toEqual([]);
    // A mere member can only ask for it.
    const asked = await goThrough(world.rigs.provider1, await begin(world, 'vcs-app/install'), 'bob');
    expect(asked.text).toContain('approve');
    expect(await client.call('vcs-app.organisation-installations', { params: { orgId } })).toEqual([]);
    // Who administers it needs no more than to name it.
    await goThrough(world.rigs.provider1, await begin(world, 'vcs-app/install'), 'alice');
    const [linked] = await client.call('vcs-app.organisation-installations', { params: { orgId } });
    expect(linked).toMatchObject({ accountLogin: 'acme' });
  });

  it('is not linked by a browser that did not begin it', async () => {
    const { url } = await begin(world, 'vcs-app/install');
    const answer = await goThrough(world.rigs.provider1, { url, cookie: '' }, 'alice');
    expect(answer.text).toContain('/connect#');
  });

  it('that was removed at the host disappears on sync, and what it opened is closed', async () => {
    const { client, targetOrganisationId: orgId } = world.deployer;
    const [linked] = await client.call('vcs-app.organisation-installations', { params: { orgId } });
    expect(linked).toMatchObject({ accountLogin: 'acme' });
    world.rigs.provider1.hooksTo(null);
    await world.rigs.provider1.uninstall(linked!.installationId);
    const synced = await client.call('vcs-app.sync-installations', { params: { orgId }, body: {} });
    expect(synced).toEqual({ installations: [], removed: 1 });
    expect(await client.call('vcs-app.repositories', { params: { orgId } })).toEqual([]);
  });
});

/** Of the host that it was sent to, which is now another. */
function withoutHost(headers: Record<string, string>): Record<string, string> {
  const own = ['host', 'content-length', 'connection', 'transfer-encoding'];
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !own.includes(name)));
}

import type { GitProvider } from '@lilac/contract/states';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HostUnavailable } from '../../../vcs/vcs-host.ts';
import { openRepositoryOf } from './application-repository.ts';
import { createRepositoryDoor } from './repository-door.ts';
import { repositoryIdOf } from './repository-id.ts';
import { openPrivateWorld, type PrivateWorld } from './testing/private-world.ts';

let world: PrivateWorld;
beforeAll(async () => {
  world = await openPrivateWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const folders: Record<GitProvider, string> = { provider1: 'one', provider2: 'two', provider3: 'three' };

async function create(url: string): Promise<{ id: string }> {
  const { status, body } = await world.call('/api/applications/create', { name: 'Known', vcsRepoUrl: url });
  expect([status, body]).toEqual([201, expect.anything()]);
  expect(await world.ended(body.id)).toMatchObject({ status: 'healthy' });
  return body;
}

/** As the host has it: the same id under another name; nobody has the old one. */
function move(from: string, to: string, provider: GitProvider = 'provider1'): void {
  const { repositories } = world.hosts[provider];
  const { id, isPrivate } = repositories.get(from.toLowerCase())!;
  repositories.delete(from.toLowerCase());
  world.hosts[provider].addRepository(to, { id, isPrivate });
}

/** What a build would be given. */
async function open({ id }: { id: string }) {
  const { store, config } = world.api;
  return openRepositoryOf({ store, config, door: createRepositoryDoor(world.deps) }, await world.application(id));
}

describe('an application whose repository is known by its id', () => {
  it('is built from there after it was renamed, though another has its old name', async () => {
    const url = await world.addPrivate('acme/renamed');
    await world.linkInstallation('acme');
    const application = await create(url);
    await world.addPrivate('acme/store');
    move('acme/renamed', 'acme/store');
    await world.addPrivate('acme/renamed');
    expect(await world.deploy(application)).toMatchObject({ status: 'healthy' });
    expect(world.built.at(-1)).toEqual({ 'index.html': '<h1>acme/store</h1>' });
    expect(await world.application(application.id)).toMatchObject({ repository_path: 'acme/store' });
  });

  it('is not built from a stranger’s public one, when its own is gone and nothing is linked any more', async () => {
    const url = await world.addPrivate('bob/tool');
    await world.linkInstallation('bob');
    const application = await create(url);
    await world.unlink();
    world.hosts.provider1.addRepository('bob/tool', { isPrivate: false });
    const builds = world.built.length;
    expect(await world.deploy(application)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/^Another repository has the name bob\/tool now.*--vcs-repo-url/) as string,
    });
    expect(world.built).toHaveLength(builds);
    const update = { applicationId: application.id, vcsRepoUrl: url };
    const unreadable = await world.call('/api/applications/update', update);
    expect(unreadable.body, 'git still wants a credential').toMatchObject({ code: 'VA003' });
    await world.linkInstallation('bob');
    expect(await world.call('/api/applications/update', update)).toMatchObject({ status: 200 });
    expect(await world.application(application.id)).toMatchObject({
      provider1_repo_id: world.hosts.provider1.repositories.get('bob/tool')!.id,
      is_private: false,
    });
    expect(await open(application)).toMatchObject({ name: 'tool' });
  });

  it('is held by its first build, where the host was too slow to say it at create', async () => {
    const url = await world.addPrivate('acme/slow');
    await world.linkInstallation('acme');
    world.hosts.provider1.before = (method) => {
      if (method === 'findRepository') throw new HostUnavailable('Too slow.', { retryAfterSeconds: 1 });
    };
    const { body } = await world.call('/api/applications/create', { name: 'Slow', vcsRepoUrl: url });
    expect(await world.application(body.id)).toMatchObject({ provider1_repo_id: null });
    expect(await world.ended(body.id), 'nobody could tell which it is').toMatchObject({ status: 'failed' });
    world.hosts.provider1.before = () => {};
    expect(await world.deploy(body)).toMatchObject({ status: 'healthy' });
    const { id } = world.hosts.provider1.repositories.get('acme/slow')!;
    expect(await world.application(body.id)).toMatchObject({ provider1_repo_id: id });
    move('acme/slow', 'acme/quick');
    world.hosts.provider1.repositories.delete('acme/quick');
    await world.addPrivate('acme/slow');
    expect(await world.deploy(body)).toMatchObject({ error: expect.stringContaining('Another repository') as string });
  });

  it('keeps its id when it is named anew while its host does not say which repository that is', async () => {
    const url = await world.addPrivate('acme/again');
    await world.linkInstallation('acme');
    const application = await create(url);
    const { provider1_repo_id: id } = await world.application(application.id);
    world.hosts.provider1.before = (method) => {
      if (method === 'findRepository') throw new HostUnavailable('Too slow.', { retryAfterSeconds: 1 });
    };
    const late = await world.call('/api/applications/update', { applicationId: application.id, vcsRepoUrl: url });
    world.hosts.provider1.before = () => {};
    expect(late).toMatchObject({ status: 503, body: { code: 'SV002' } });
    expect(await world.application(application.id)).toMatchObject({ provider1_repo_id: id });
  });

  it('is opened by nobody while its host does not say which repository has the name', async () => {
    const url = await world.addPrivate('acme/mute');
    await world.linkInstallation('acme');
    const application = await create(url);
    world.hosts.provider1.repositories.get('acme/mute')!.isPrivate = false;
    world.hosts.provider1.isDown = true;
    const down = await open(application).catch((error: Error) => error);
    world.hosts.provider1.isDown = false;
    expect(down).toMatchObject({ message: 'provider1 does not answer. Try again soon.' });
  });
});

describe.each(['provider1', 'provider2', 'provider3'] as const)('a public repository of %s', (provider) => {
  const link = (login: string, reaches: string[]) =>
    provider === 'provider1' ? world.linkInstallation(login) : world.linkConnection(provider, login, reaches);

  it('that was moved to a stranger’s account is refused, and followed to one that is linked', async () => {
    const [from, to] = ['team/open', 'carol/open'];
    await world.git.createRepository(`${folders[provider]}/${from}`, { 'index.html': 'open' });
    world.hosts[provider].addRepository(from, { isPrivate: false });
    await link('team', [from]);
    const application = await create(`${world.git.url}/${folders[provider]}/${from}`);
    move(from, to, provider);
    const moved = world.hosts[provider].repositories.get(to)!;
    // As hosts answer for the old name, as long as nobody else has it.
    world.hosts[provider].repositories.set(from, moved);
    await expect(open(application)).rejects.toMatchObject({
      code: 'VA003',
      message: expect.stringMatching(
        /^team\/open has become carol\/open at its host, and that account is not/,
      ) as string,
    });
    world.hosts[provider].repositories.delete(from);
    await link('carol', [to]);
    expect(await open(application)).toMatchObject({ owner: 'carol', name: 'open' });
    expect(await world.application(application.id)).toMatchObject({ repository_path: to });
  });

  it('that was there before something was linked is held by the next build', async () => {
    const name = 'late/open';
    await world.git.createRepository(`${folders[provider]}/${name}`, { 'index.html': 'open' });
    world.hosts[provider].addRepository(name, { isPrivate: false });
    world.hosts[provider].isDown = true;
    const application = await create(`${world.git.url}/${folders[provider]}/${name}`);
    world.hosts[provider].isDown = false;
    expect(repositoryIdOf(await world.application(application.id))).toBeNull();
    await link('late', [name]);
    await open(application);
    expect(repositoryIdOf(await world.application(application.id))).toBe(
      world.hosts[provider].repositories.get(name)!.id,
    );
    world.hosts[provider].addRepository(name, { isPrivate: false });
    await expect(open(application)).rejects.toThrow('Another repository has the name late/open now');
  });

  it('of which another has the name now is not taken for it', async () => {
    const name = 'team/taken';
    await world.git.createRepository(`${folders[provider]}/${name}`, { 'index.html': 'ours' });
    world.hosts[provider].addRepository(name, { isPrivate: false });
    await link('team', [name]);
    const application = await create(`${world.git.url}/${folders[provider]}/${name}`);
    world.hosts[provider].addRepository(name, { isPrivate: false });
    await expect(open(application)).rejects.toThrow('Another repository has the name team/taken now');
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRepositoryOf } from '../access/application-repository.ts';
import { pushSteps } from './testing/push-steps.ts';
import { openPushWorld, type PushWorld } from './testing/push-world.ts';

let world: PushWorld;
beforeAll(async () => {
  world = await openPushWorld();
  await world.linkInstallation('acme');
});
afterAll(() => world[Symbol.asyncDispose]());

const { applicationNow, settle, shas } = pushSteps(() => world);

/** As the host has it: the same id under the new name, which git has too. */
async function rename(from: string, to: string): Promise<void> {
  const { repositories } = world.hosts.provider1;
  const { id } = repositories.get(from.toLowerCase())!;
  await world.addRepository(to);
  repositories.delete(from.toLowerCase());
  Object.assign(repositories.get(to.toLowerCase())!, { id });
}

const rowOf = ({ id }: { id: string }) =>
  world.api.store.db.selectFrom('applications').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

describe('a repository that is renamed at its host', () => {
  it('is followed to its new name, and who takes the old one is not heard', async () => {
    const { fullName, application, production } = await settle();
    const renamed = `${fullName}-renamed`;
    await rename(fullName, renamed);
    const { sha } = await world.push(renamed, 'main');
    expect((await shas(production))[0]).toEqual([sha, 'pending']);
    expect((await applicationNow(application)).vcs_repo_url).toBe(`${world.git.url}/one/${renamed}`);
    expect(await world.activity()).toContain(`repository_renamed ${application.name}: ${renamed}`);
    await world.finish('healthy');
    world.hosts.provider1.addRepository(fullName, { isPrivate: false });
    await world.push(fullName, 'main');
    expect((await shas(production))[0]).toEqual([sha, 'healthy']);
  });

  it('is told from another that has taken its name, though only that one was pushed to', async () => {
    const { fullName, application, production } = await settle();
    const before = await shas(production);
    await rename(fullName, `${fullName}-away`);
    world.hosts.provider1.addRepository(fullName, { isPrivate: false });
    await world.push(fullName, 'main');
    expect(await shas(production)).toEqual(before);
    expect((await applicationNow(application)).vcs_repo_url).toContain(`${fullName}-away`);
  });

  it('and one that was deleted and made anew under its name waits for a person to say that it is meant', async () => {
    const { fullName, application, production } = await settle();
    const before = await shas(production);
    const { id } = world.hosts.provider1.addRepository(fullName, { isPrivate: false });
    const { sha } = await world.push(fullName, 'main');
    expect(await shas(production)).toEqual(before);
    expect(await applicationNow(application)).toMatchObject({
      push_status: 'failed',
      push_trouble: expect.stringMatching(/Another repository has the name .*--vcs-repo-url/) as string,
    });
    const said = { applicationId: application.id, vcsRepoUrl: `${world.git.url}/one/${fullName}` };
    const { status, body } = await world.call('/api/applications/update', said);
    expect([status, body.push_status]).toEqual([200, 'ready']);
    await world.hurry();
    expect((await shas(production))[0]).toEqual([sha, 'pending']);
    expect(await rowOf(application)).toMatchObject({ provider1_repo_id: id });
  });

  it('is not given up for another while its host does not say where it is', async () => {
    const { fullName, application, production } = await settle();
    const before = await shas(production);
    const { provider1_repo_id: id } = await rowOf(application);
    await rename(fullName, `${fullName}-slow`);
    world.hosts.provider1.addRepository(fullName, { isPrivate: false });
    const event = await world.commit(fullName, 'main');
    world.hosts.provider1.isDown = true;
    await world.tell([event]);
    await world.settled();
    world.hosts.provider1.isDown = false;
    expect(await rowOf(application)).toMatchObject({ provider1_repo_id: id, repository_path: fullName.toLowerCase() });
    expect(await world.waiting()).toHaveLength(1);
    await world.hurry();
    expect(await shas(production)).toEqual(before);
    expect(await rowOf(application)).toMatchObject({ repository_path: `${fullName}-slow`.toLowerCase() });
  });

  it('is found by its id when it is deployed by hand', async () => {
    const { fullName, application } = await settle();
    const renamed = `${fullName}-by-hand`;
    await rename(fullName, renamed);
    const row = await rowOf(application);
    expect(await openRepositoryOf(world.deps, row)).toMatchObject({
      url: `${world.git.url}/one/${renamed}.git`,
      credential: { username: 'stand-in' },
    });
  });
});

describe.each(['provider2', 'provider3'] as const)('a push to a repository of %s', (provider) => {
  it('is not heard when it was moved to a stranger, or nothing linked reaches it any more', async () => {
    const fullName = `moving/${provider}`;
    await world.addRepository(fullName, provider);
    await world.linkConnection(provider, 'mover', [fullName]);
    const { people } = world.hosts[provider];
    const { reaches } = people.whose(people.tokensFor('mover').accessToken)!;
    const application = await world.create(`Moving ${provider}`, fullName, { provider });
    await world.settled();
    await world.finish('healthy');
    const [production] = await world.environmentsOf(application);
    expect((await applicationNow(application)).push_status).toBe('ready');
    const before = await shas(production!);
    reaches.delete(fullName);
    const { sha } = await world.push(fullName, 'main', { provider });
    expect(await shas(production!)).toEqual(before);
    expect(await applicationNow(application)).toMatchObject({
      push_status: 'failed',
      push_trouble: expect.stringContaining(
        `Nothing that is linked to this organisation reaches ${fullName}`,
      ) as string,
    });
    reaches.add(fullName);
    await world.hurry();
    expect((await shas(production!))[0]).toEqual([sha, 'pending']);
    expect((await applicationNow(application)).push_status).toBe('ready');
    await world.finish('healthy');
    const after = await shas(production!);
    const moved = world.hosts[provider].repositories.get(fullName)!;
    Object.assign(moved, { owner: 'carol', fullName: `carol/${provider}` });
    reaches.add(moved.fullName);
    const event = await world.commit(fullName, 'main', { provider });
    await world.tell([{ ...event, repository: { id: moved.id, fullName: moved.fullName } }], { provider });
    await world.settled();
    expect(await shas(production!)).toEqual(after);
    expect((await applicationNow(application)).push_trouble).toContain(`has become carol/${provider} at its host`);
    Object.assign(moved, { owner: 'moving', fullName });
    await world.hurry();
    expect((await shas(production!))[0]).toEqual([event.sha, 'pending']);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Fault } from '../../../lib/fault.ts';
import { createRepositoryLists, type RepositoryLists } from './repository-lists.ts';
import { openPrivateWorld, type PrivateWorld } from './testing/private-world.ts';

let world: PrivateWorld;
let lists: RepositoryLists;
beforeAll(async () => {
  world = await openPrivateWorld();
  for (const name of ['acme/b', 'acme/a', 'zoo/c']) world.hosts.provider1.addRepository(name);
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(async () => {
  await world.unlink();
  lists = createRepositoryLists(world.deps);
});

const namesOf = async (who = world.owner) =>
  (await lists.repositories(who.organisationId, 'provider1')).value.map(({ fullName }) => fullName);
const branchesOf = async (name: string, who = world.owner) =>
  (await lists.branches(who.organisationId, 'provider1', { owner: 'acme', name }))?.value ?? null;

describe('the repositories of an organisation', () => {
  it('are those of all its installations, each once, in the order of their names', async () => {
    expect(await namesOf()).toEqual([]);
    await world.linkInstallation('zoo');
    await world.linkInstallation('acme');
    await world.linkInstallation('acme', world.owner, ['acme/a']);
    expect(await namesOf()).toEqual(['acme/a', 'acme/b', 'zoo/c']);
    expect(await namesOf(world.stranger)).toEqual([]);
  });

  it('are gone with the link, though they were listed a moment ago', async () => {
    await world.linkInstallation('acme');
    expect(await namesOf()).toHaveLength(2);
    await world.unlink();
    expect(await namesOf()).toEqual([]);
    expect(await branchesOf('a')).toBeNull();
  });

  it('are told from memory while the host is down, and not at all where nothing was ever listed', async () => {
    await world.linkInstallation('acme');
    const readAt = world.api.clock.now();
    await namesOf();
    await branchesOf('a');
    world.api.clock.advance(60_000);
    world.hosts.provider1.isDown = true;
    const kept = await namesOf();
    const branches = await branchesOf('a');
    const { asOf } = await lists.repositories(world.owner.organisationId, 'provider1');
    const never = await branchesOf('b').catch((error: Error) => error.message);
    world.hosts.provider1.isDown = false;
    expect([kept, branches]).toMatchObject([['acme/a', 'acme/b'], [{ name: 'main' }]]);
    expect(asOf).toEqual(readAt);
    expect(never).toBe('provider1 does not answer. Try again soon.');
  });

  it('are those of the others when one fails, and only when all fail is it an error', async () => {
    await world.linkInstallation('acme');
    await world.linkInstallation('zoo');
    let failing = ['one'];
    world.hosts.provider1.before = () => {
      if (failing.pop()) throw new Fault('CF001', 'The account has to accept a permission.');
    };
    const { value, missing } = await lists.repositories(world.owner.organisationId, 'provider1');
    expect([['zoo'], ['acme']]).toContainEqual(missing);
    expect(value.map(({ fullName }) => fullName)).toEqual(missing[0] === 'zoo' ? ['acme/a', 'acme/b'] : ['zoo/c']);
    failing = ['one'];
    const { token, organisationId } = world.owner;
    const path = `/api/vcs-app/organisation/${organisationId}/repositories`;
    const answer = await world.api.call(path, { method: 'GET', token });
    expect(answer.headers['x-partial']).toMatch(/^(acme|zoo)$/);
    lists = createRepositoryLists(world.deps);
    failing = ['one', 'other'];
    await expect(namesOf()).rejects.toThrow('The account has to accept a permission.');
    expect(await namesOf()).toEqual(['acme/a', 'acme/b', 'zoo/c']);
    lists = createRepositoryLists(world.deps);
    world.hosts.provider1.before = (() => {
      let calls = 0;
      return () => {
        if (calls++ === 0) throw new TypeError('a fault of our own');
      };
    })();
    await expect(namesOf()).rejects.toThrow('a fault of our own');
    world.hosts.provider1.before = () => {};
  });

  it('of people leave out who has taken it back', async () => {
    for (const name of ['team/x', 'team/y']) world.hosts.provider2.addRepository(name);
    await world.linkConnection('provider2', 'ada', ['team/x']);
    await world.linkConnection('provider2', 'bob', ['team/x', 'team/y']);
    const names = async () =>
      (await lists.repositories(world.owner.organisationId, 'provider2')).value.map(({ fullName }) => fullName);
    expect(await names()).toEqual(['team/x', 'team/y']);
    world.hosts.provider2.people.takeBack('bob');
    world.api.clock.advance(31_000);
    expect(await names()).toEqual(['team/x']);
    expect(await lists.repositories(world.owner.organisationId, 'provider2')).toMatchObject({ missing: ['bob'] });
  });

  it('are not said to be none when everything that is linked is in trouble, or the host is no longer set up', async () => {
    const { provider2 } = world.hosts;
    provider2.addRepository('team/z');
    await world.linkConnection('provider2', 'cy', ['team/z']);
    const { organisationId } = world.owner;
    const repositories = () => lists.repositories(organisationId, 'provider2');
    const branches = () => lists.branches(organisationId, 'provider2', { owner: 'team', name: 'z' });
    provider2.isSetUp = false;
    for (const list of [repositories, branches]) {
      await expect(list()).rejects.toMatchObject({
        code: 'CF001',
        message: 'The operator has not set up this repository host yet (lilac admin vcs setup).',
      });
    }
    provider2.isSetUp = true;
    expect((await repositories()).value).toHaveLength(1);
    provider2.people.takeBack('cy');
    world.api.clock.advance(31_000);
    for (const list of [repositories, branches]) {
      await expect(list()).rejects.toMatchObject({
        code: 'CF001',
        message: expect.stringMatching(
          /^The connection of cy no longer works\. The host no longer takes it.*Connect again\. \("lilac provider2 connect"\)$/,
        ) as string,
      });
    }
  });

  it('of an installation that was suspended or removed, which nobody told us of, are not said to be none', async () => {
    const { provider1 } = world.hosts;
    const { organisationId, token } = world.owner;
    const [acme] = [await world.linkInstallation('acme'), await world.linkInstallation('zoo')];
    const path = `/api/vcs-app/organisation/${organisationId}/repositories`;
    const list = async () => {
      world.api.clock.advance(31_000);
      const { status, headers, body } = await world.api.call(path, { method: 'GET', token });
      return [status, headers['x-partial'], body.message ?? body.length] as unknown[];
    };
    expect(await list()).toEqual([200, undefined, 3]);
    provider1.installations.get(acme)!.isSuspended = true;
    expect(await list()).toEqual([200, 'acme', 1]);
    for (const installation of provider1.installations.values()) installation.isSuspended = true;
    expect(await list()).toEqual([
      409,
      undefined,
      expect.stringContaining('at zoo is suspended at the host: resume it'),
    ]);
    await world.unlink();
    const other = await world.linkInstallation('acme');
    provider1.installations.delete(other);
    expect(await list()).toEqual([200, 'acme', 0]);
    const activity = await world.api.store.db.selectFrom('activity_entries').select(['action', 'subject']).execute();
    expect(activity).toContainEqual({ action: 'installation_gone', subject: 'acme' });
    expect(await list()).toEqual([200, undefined, 0]);
  });

  it('one who leaves while they are read does not end it for the others', async () => {
    await world.linkInstallation('acme');
    const gate = Promise.withResolvers<void>();
    world.hosts.provider1.before = () => gate.promise;
    const leaving = new AbortController();
    const left = lists.repositories(world.owner.organisationId, 'provider1', leaving.signal);
    const stays = namesOf();
    leaving.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    gate.resolve();
    world.hosts.provider1.before = () => {};
    expect(await stays).toHaveLength(2);
  });
});

describe('the branches of a repository', () => {
  it('are read by whoever reaches it; null for what nobody reaches', async () => {
    await world.linkInstallation('zoo');
    await world.linkInstallation('acme', world.owner, ['acme/a']);
    expect(await branchesOf('a')).toEqual([{ name: 'main', sha: expect.stringMatching(/^\d{40}$/) as string }]);
    expect(await branchesOf('b')).toBeNull();
    expect(await branchesOf('a', world.stranger)).toBeNull();
  });
});

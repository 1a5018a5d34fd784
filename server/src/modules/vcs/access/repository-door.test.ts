import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Fault } from '../../../lib/fault.ts';
import { parseRepository } from '../../../vcs/git/parse-repository.ts';
import type { RepositoryDoor } from '../vcs-deps.ts';
import { createRepositoryDoor } from './repository-door.ts';
import { openPrivateWorld, type PrivateWorld } from './testing/private-world.ts';

let world: PrivateWorld;
let door: RepositoryDoor;
beforeAll(async () => {
  world = await openPrivateWorld();
  for (const name of ['acme/shop', 'acme/moved', 'acme/opened']) world.hosts.provider1.addRepository(name);
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(async () => {
  await world.unlink();
  door = createRepositoryDoor(world.deps);
  world.hosts.provider1.calls.length = 0;
  world.hosts.provider1.before = () => {};
});

const repository = (name: string) => {
  const [owner = '', repo = ''] = name.split('/');
  return parseRepository(world.api.config, { owner, repo });
};
const open = (name: string, options?: Parameters<RepositoryDoor['open']>[2]) =>
  door.open(world.owner.organisationId, repository(name), options);
const accessTo = (name: string) => door.act(world.owner.organisationId, repository(name), async (by) => by);

describe('the door to repositories', () => {
  it('asks the host nothing where nothing is linked', async () => {
    expect(await open('acme/shop')).toMatchObject({ credential: null });
    expect(await accessTo('acme/shop')).toBeNull();
    expect(world.hosts.provider1.calls).toEqual([]);
  });

  it('asks the installation of the account alone when it reaches it, and again by itself', async () => {
    await world.linkInstallation('aaa');
    await world.linkInstallation('ACME');
    for (let time = 0; time < 2; time++) {
      expect(await open('acme/shop')).toMatchObject({ credential: { username: 'stand-in' } });
    }
    expect(world.hosts.provider1.calls).toEqual(['gitCredential', 'gitCredential']);
  });

  it('remembers which one reached it, and forgets it with the link', async () => {
    const first = await world.linkInstallation('acme', world.owner, []);
    // What the host calls the account now, or calls another's: it is the host that decides.
    const second = await world.linkInstallation('acme', world.owner, ['acme/moved']);
    const asked: number[] = [];
    const gitCredential = world.hosts.provider1.gitCredential.bind(world.hosts.provider1);
    world.hosts.provider1.gitCredential = (access, ...rest) => {
      if (access.kind === 'installation') asked.push(access.installationId);
      return gitCredential(access, ...rest);
    };
    await open('acme/moved');
    await open('acme/moved');
    expect(asked).toEqual([first, second, second]);
    world.api.clock.advance(11 * 60_000);
    await open('acme/moved');
    expect(asked.slice(3)).toEqual([first, second]);
    await world.unlink();
    expect(await open('acme/moved')).toMatchObject({ credential: null });
    expect(asked).toHaveLength(5);
    world.hosts.provider1.gitCredential = gitCredential;
  });

  it('leaves alone what is suspended', async () => {
    const id = await world.linkInstallation('acme');
    await world.api.store.db
      .updateTable('vcs_installations')
      .set({ is_suspended: true })
      .where('id', '=', String(id))
      .execute();
    expect(await open('acme/shop')).toMatchObject({ credential: null });
    expect(world.hosts.provider1.calls).toEqual([]);
  });

  it('says that it is suspended, where that is why nothing reaches it', async () => {
    for (const account of ['acme', 'zoo']) await world.linkInstallation(account);
    await world.api.store.db.updateTable('vcs_installations').set({ is_suspended: true }).execute();
    for (const privacy of [{ isPrivate: true }, { wasPrivate: true }]) {
      await expect(open('acme/shop', privacy)).rejects.toMatchObject({
        code: 'VA003',
        message:
          'acme/shop is private, and nothing that is linked to this organisation reaches it. ' +
          'The installation at acme is suspended at the host: resume it there. If this is still said afterwards, ' +
          '"lilac vcs sync" looks again.',
      });
    }
  });

  it('says what became of a connection that might have reached it', async () => {
    world.hosts.provider2.addRepository('team/vault');
    const id = await world.linkConnection('provider2', 'ada', []);
    const vault = parseRepository(world.api.config, { owner: 'team', repo: 'vault', provider: 'provider2' });
    const refusal = () => door.open(world.owner.organisationId, vault, { isPrivate: true });
    await expect(refusal()).rejects.toThrow('Let the platform in with "lilac provider2 connect"');
    const trouble = 'The host no longer takes it. Connect again.';
    await world.api.store.db.updateTable('vcs_connections').set({ trouble }).where('id', '=', id).execute();
    await expect(refusal()).rejects.toThrow(
      'reaches it. The connection of ada no longer works. The host no longer takes it. Connect again.',
    );
  });

  it('lets nobody try git on what its host shows to everybody as private', async () => {
    const findRepository = world.hosts.provider1.findRepository.bind(world.hosts.provider1);
    const shown = { id: '1', owner: 'acme', name: 'shop', fullName: 'acme/shop', defaultBranch: 'main' };
    world.hosts.provider1.findRepository = async () => ({ ...shown, isPrivate: true });
    const refused = open('acme/shop', { wasPrivate: true });
    await expect(refused).rejects.toThrow('Install the app at acme with "lilac vcs install"');
    world.hosts.provider1.findRepository = async () => ({ ...shown, isPrivate: false });
    expect(await open('acme/shop', { wasPrivate: true })).toMatchObject({ credential: null });
    world.hosts.provider1.findRepository = findRepository;
  });

  it('one installation that fails keeps none of the others from being asked', async () => {
    await world.linkInstallation('acme', world.owner, []);
    await world.linkInstallation('acme');
    let calls = 0;
    world.hosts.provider1.before = () => {
      if (calls++ === 0) throw new Fault('CF001', 'The key of the app is not good.');
    };
    expect(await open('acme/shop', { isPrivate: true })).toMatchObject({ credential: { username: 'stand-in' } });
    world.hosts.provider1.before = () => {
      throw new Fault('CF001', 'The key of the app is not good.');
    };
    expect(await open('acme/shop')).toMatchObject({ credential: null });
    for (const privacy of [{ isPrivate: true }, { wasPrivate: true }]) {
      await expect(open('acme/shop', privacy)).rejects.toThrow('The key of the app is not good.');
    }
  });

  it('throws on what is a fault of our own', async () => {
    await world.linkInstallation('acme');
    world.hosts.provider1.before = () => {
      throw new TypeError('x is not a function');
    };
    await expect(open('acme/shop')).rejects.toThrow('x is not a function');
  });

  it('tells what the host says of it, and by what it is reached', async () => {
    const installationId = await world.linkInstallation('acme');
    expect(await accessTo('Acme/SHOP')).toMatchObject({
      access: { kind: 'installation', installationId },
      found: { fullName: 'acme/shop', isPrivate: true },
    });
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOwner, type TestOwner } from '../../../testing/factories.ts';
import type { InstallationEvent } from '../../../vcs/vcs-host.ts';
import { openPushWorld, type PushWorld } from './testing/push-world.ts';

let world: PushWorld;
let friend: TestOwner;
beforeAll(async () => {
  world = await openPushWorld();
  friend = await createOwner(world.api);
});
afterAll(() => world[Symbol.asyncDispose]());

const tell = async (installationId: number, change: InstallationEvent['change']) => {
  await world.tell([{ kind: 'installation', installationId, change }]);
  await world.settled();
};
const known = (id: number) =>
  world.api.store.db.selectFrom('vcs_installations').selectAll().where('id', '=', String(id)).executeTakeFirst();
const linksOf = async (id: number) => {
  const query = world.api.store.db.selectFrom('vcs_installation_links').select('organisation_id');
  return (await query.where('installation_id', '=', String(id)).execute()).map((link) => link.organisation_id);
};

describe('what a host tells of an installation', () => {
  it('removed: it is taken from everybody, who are told', async () => {
    const id = await world.linkInstallation('leaver');
    await world.linkInstallation('leaver', friend, id);
    world.hosts.provider1.installations.delete(id);
    await tell(id, 'removed');
    expect(await known(id)).toBeUndefined();
    expect(await linksOf(id)).toEqual([]);
    for (const who of [world.owner, friend])
      expect((await world.activity(who)).at(-1)).toBe('installation_gone leaver');
    const before = await world.activity();
    await tell(id, 'removed');
    expect(await world.activity()).toEqual(before);
  });

  it('removed, though the host still has it: nothing is believed', async () => {
    const id = await world.linkInstallation('stayer');
    await tell(id, 'removed');
    expect(await linksOf(id)).toEqual([world.owner.organisationId]);
  });

  it('suspended and resumed, renamed and changed: as it is now', async () => {
    const id = await world.linkInstallation('renamed');
    const installation = world.hosts.provider1.installations.get(id)!;
    Object.assign(installation, { isSuspended: true });
    await tell(id, 'suspended');
    expect(await known(id)).toMatchObject({ is_suspended: true });
    Object.assign(installation, { isSuspended: false, repositorySelection: 'selected' });
    installation.account.login = 'new-name';
    await tell(id, 'resumed');
    expect(await known(id)).toMatchObject({
      is_suspended: false,
      repository_selection: 'selected',
      account_login: 'new-name',
    });
  });

  it('created: one that nobody has linked stays unknown', async () => {
    const { id } = world.hosts.provider1.addInstallation('newcomer');
    await tell(id, 'created');
    await tell(id, 'changed');
    expect(await known(id)).toBeUndefined();
  });

  it('what it was granted: whether pushes come is told of applications', async () => {
    const id = await world.linkInstallation('picky');
    const installation = world.hosts.provider1.installations.get(id)!;
    installation.granted = [];
    await world.addRepository('picky/shop');
    const { id: applicationId } = await world.create('Picky', 'picky/shop');
    await world.settled();
    const now = async () => (await world.call('/api/applications/get', { applicationId })).body;
    const missing = {
      push_status: 'failed',
      push_trouble: expect.stringContaining('no installation that is linked to this organisation includes picky/shop'),
    };
    expect(await now()).toMatchObject(missing);
    installation.granted = ['picky/shop'];
    await tell(id, 'changed');
    expect(await now()).toMatchObject({ push_status: 'ready', push_trouble: null });
    installation.granted = [];
    await tell(id, 'changed');
    expect(await now()).toMatchObject(missing);
  });

  it('nothing, though its webhook was lost: a sync and a deployment by hand find out what is no longer granted', async () => {
    const id = await world.linkInstallation('quiet');
    await world.addRepository('quiet/shop');
    const { id: applicationId } = await world.create('Quiet', 'quiet/shop');
    await world.settled();
    const now = async () => (await world.call('/api/applications/get', { applicationId })).body.push_status as string;
    const { token, organisationId } = world.owner;
    const sync = () =>
      world.api.call(`/api/vcs-app/organisation/${organisationId}/sync-installations`, { token, body: {} });
    const deploy = () => world.call('/api/applications/deploy', { applicationId });
    for (const find of [sync, deploy]) {
      for (const [granted, status] of [
        [[], 'failed'],
        [['quiet/shop'], 'ready'],
      ] as const) {
        world.hosts.provider1.installations.get(id)!.granted = [...granted];
        expect((await find()).status).toBeLessThan(300);
        await world.settled();
        expect(await now()).toBe(status);
      }
    }
    await world.finish('healthy');
  });

  it('that its account was renamed: what it includes by its id is heard of as before', async () => {
    const id = await world.linkInstallation('before');
    await world.addRepository('before/shop');
    const { id: applicationId } = await world.create('Renamed', 'before/shop');
    await world.settled();
    const now = async () => (await world.call('/api/applications/get', { applicationId })).body.push_status as string;
    const { installations, repositories } = world.hosts.provider1;
    installations.get(id)!.account.login = 'after';
    Object.assign(repositories.get('before/shop')!, { owner: 'after', fullName: 'after/shop' });
    await tell(id, 'changed');
    expect(await now()).toBe('ready');
    await world.linkInstallation('elsewhere');
    installations.delete(id);
    await tell(id, 'removed');
    expect(await now()).toBe('failed');
  });

  it('is done when the host answers again', async () => {
    const id = await world.linkInstallation('patient');
    world.hosts.provider1.installations.delete(id);
    world.hosts.provider1.isDown = true;
    await tell(id, 'removed');
    expect(await known(id)).toBeDefined();
    expect(await world.waiting()).toMatchObject([{ state: 'queued', payload: { failing: { tries: 1 } } }]);
    world.hosts.provider1.isDown = false;
    await world.hurry();
    expect(await known(id)).toBeUndefined();
  });
});

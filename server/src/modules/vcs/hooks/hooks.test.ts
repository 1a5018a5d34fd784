import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createOwner, type TestOwner } from '../../../testing/factories.ts';
import { HostUnavailable } from '../../../vcs/vcs-host.ts';
import { openPushWorld, type PushWorld } from '../webhooks/testing/push-world.ts';
import { missedPush, notePushTrouble } from './push-trouble-store.ts';
import { watchHooks } from './watch-hooks.ts';

let world: PushWorld;
beforeAll(async () => {
  world = await openPushWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

/** Each test has an organisation of its own: what one links concerns all its applications. */
let who: TestOwner;
beforeEach(async () => {
  who = await createOwner(world.api);
});
afterEach(() => {
  for (const host of [world.hosts.provider2, world.hosts.provider3]) {
    host.isDown = false;
    host.before = () => {};
  }
});

let count = 0;
type Provider = 'provider2' | 'provider3';

async function settle(provider: Provider, given: object = {}, { isConnected = true } = {}) {
  const fullName = `team${++count}/repo`;
  await world.addRepository(fullName, provider);
  if (isConnected) await world.linkConnection(provider, `person-${count}`, [fullName], who);
  const application = await world.create(`Hooked ${count}`, fullName, { provider, who, ...given });
  await world.settled();
  await world.finish('healthy');
  const { id } = world.hosts[provider].repositories.get(fullName)!;
  return { fullName, application, repositoryId: id, hook: () => world.hosts[provider].hooks.get(id) };
}

const rowOf = (repositoryId: string) =>
  world.api.store.db.selectFrom('vcs_hooks').selectAll().where('repository_id', '=', repositoryId).executeTakeFirst();

async function warnings(application: { id: string }): Promise<string[]> {
  const [production] = await world.environmentsOf(application);
  const { body } = await world.call('/api/environments/logs', { environmentId: production!.id }, who);
  return (body as string[]).flatMap((line) => line.split(' WARN ')[1] ?? []);
}

const pushesOf = async ({ id }: { id: string }) => {
  const { body } = await world.call('/api/applications/get', { applicationId: id }, who);
  return [body.push_status, body.push_trouble] as [string, string | null];
};

const remove = async (application: { id: string }) => {
  await world.call('/api/applications/delete', { applicationId: application.id }, who);
  await world.settled();
};

describe.each(['provider2', 'provider3'] as const)('the hook of a repository of %s', (provider) => {
  it('is made with the application, and goes with the last that wants it', async () => {
    const { fullName, application, repositoryId, hook } = await settle(provider);
    expect(hook()).toMatchObject({ url: `http://localhost:7080/api/${provider}/webhook` });
    expect(await rowOf(repositoryId)).toMatchObject({
      provider,
      hook_id: hook()!.id,
      connection_id: expect.any(String),
    });
    const second = await world.create(`Second ${count}`, fullName, { provider, who });
    await world.settled();
    await remove(application);
    expect(hook()).toBeDefined();
    await remove(second);
    expect(hook()).toBeUndefined();
    expect(await rowOf(repositoryId)).toBeUndefined();
  });

  it('hears of pushes, by the id of the repository though it was renamed', async () => {
    const { fullName, application, repositoryId } = await settle(provider);
    const [production] = await world.environmentsOf(application);
    const { sha } = await world.push(fullName, 'main', { provider });
    expect((await world.deploymentsOf(production!))[0]!.commit_sha).toBe(sha);
    const next = await world.commit(fullName, 'main', { provider });
    await world.tell([{ ...next, repository: { id: repositoryId.toUpperCase(), fullName: 'renamed/since' } }], {
      provider,
    });
    await world.settled();
    expect((await world.deploymentsOf(production!))[0]!.commit_sha).toBe(next.sha);
    const other = await world.commit(fullName, 'main', { provider });
    await world.tell([{ ...other, repository: { ...other.repository, id: provider === 'provider2' ? '9' : '{9}' } }], {
      provider,
    });
    await world.settled();
    expect((await world.deploymentsOf(production!))[0]!.commit_sha).toBe(next.sha);
  });

  it('is heard by organisations with a connection only', async () => {
    const { fullName, application } = await settle(provider);
    const stranger = await createOwner(world.api);
    const theirs = await world.create(`Strange ${count}`, fullName, { provider, who: stranger });
    await world.finish('healthy');
    await world.push(fullName, 'main', { provider });
    const counts = [application, theirs].map(async (each) => {
      const [production] = await world.environmentsOf(each);
      return (await world.deploymentsOf(production!)).length;
    });
    expect(await Promise.all(counts)).toEqual([2, 1]);
  });

  it('follows whether pushes are wanted', async () => {
    const by = { autoDeployOnPush: false, autoDeployBranches: [], autoDeleteStaleEnvs: false };
    const { application, hook } = await settle(provider, by);
    expect(hook()).toBeUndefined();
    const [production] = await world.environmentsOf(application);
    const set = async (autoDeploy: boolean) => {
      await world.call('/api/environments/update', { environmentId: production!.id, autoDeploy }, who);
      await world.settled();
    };
    await set(true);
    expect(hook()).toBeDefined();
    await set(false);
    expect(hook()).toBeUndefined();
    expect(await pushesOf(application)).toEqual(['off', null]);
    const preview = { applicationId: application.id, name: 'preview', vcsBranch: 'main', autoDeploy: true };
    expect((await world.call('/api/environments/create', preview, who)).status).toBe(201);
    await world.settled();
    expect(hook()).toBeDefined();
  });

  it('is made when a connection is linked later; until then people are told what to do', async () => {
    const { fullName, application, hook } = await settle(provider, {}, { isConnected: false });
    expect(hook()).toBeUndefined();
    expect(await warnings(application)).toEqual([
      expect.stringMatching(
        new RegExp(`^Pushes are not deployed by themselves: no connection .*lilac ${provider} connect`),
      ),
    ]);
    expect(await pushesOf(application)).toEqual(['failed', expect.stringContaining(`lilac ${provider} connect`)]);
    await world.linkConnection(provider, `late-${count}`, [fullName], who);
    await world.settled();
    expect(hook()).toBeDefined();
    expect(await pushesOf(application)).toEqual(['ready', null]);
  });

  it('is made by whichever connection may', async () => {
    const host = world.hosts[provider];
    const fullName = `shared${++count}/repo`;
    await world.addRepository(fullName, provider);
    await world.linkConnection(provider, `reader-${count}`, [], who);
    const application = await world.create(`Shared ${count}`, fullName, { provider, who });
    await world.settled();
    expect((await warnings(application)).at(-1)).toContain(`may add a webhook to ${fullName}`);
    expect(await pushesOf(application)).toEqual([
      'failed',
      expect.stringContaining(`may add a webhook to ${fullName}`),
    ]);
    const connectionId = await world.linkConnection(provider, `maintainer-${count}`, [fullName], who);
    await world.settled();
    const { id } = host.repositories.get(fullName)!;
    expect(host.hooks.get(id)).toBeDefined();
    expect(await rowOf(id)).toMatchObject({ connection_id: connectionId });
    expect(await pushesOf(application)).toEqual(['ready', null]);
  });

  it('is made by another connection where the host fails for the first', async () => {
    const host = world.hosts[provider];
    const fullName = `uneven${++count}/repo`;
    await world.addRepository(fullName, provider);
    for (const name of ['slow', 'good']) await world.linkConnection(provider, `${name}-${count}`, [fullName], who);
    let calls = 0;
    host.before = (method) => {
      if (method === 'ensureHook' && ++calls === 1) throw new HostUnavailable('Slow.', { retryAfterSeconds: 7 });
    };
    const application = await world.create(`Uneven ${count}`, fullName, { provider, who });
    await world.settled();
    const { id } = host.repositories.get(fullName)!;
    expect([calls, host.hooks.has(id), await warnings(application)]).toEqual([2, true, []]);
    expect(await world.waiting()).toEqual([]);
  });

  it('is nothing to an organisation whose connection was unlinked, though another stays that does not reach it', async () => {
    const { application } = await settle(provider);
    await world.linkConnection(provider, `nobody-${count}`, [], who);
    await world.settled();
    expect(await pushesOf(application)).toEqual(['ready', null]);
    const { rows } = await world.api.store.pool.query(
      `select c.id from vcs_connections c join vcs_connection_links l on l.connection_id = c.id
       where l.organisation_id = $1 and c.account_login = $2`,
      [who.organisationId, `person-${count}`],
    );
    const path = `/api/${provider}/organisation/${who.organisationId}/connections/${rows[0].id}`;
    const { status } = await world.api.call(path, { token: who.token, method: 'DELETE' });
    expect(status).toBe(200);
    await world.settled();
    expect(await pushesOf(application)).toEqual(['failed', expect.stringContaining('may add a webhook')]);
  });

  it('is made again by a deployment by hand, when somebody has removed it at the host', async () => {
    const { application, repositoryId, hook } = await settle(provider);
    world.hosts[provider].hooks.delete(repositoryId);
    await world.call('/api/applications/deploy', { applicationId: application.id }, who);
    await world.settled();
    expect(hook()).toBeDefined();
    expect(await rowOf(repositoryId)).toMatchObject({ hook_id: hook()!.id });
    await world.finish('healthy');
  });

  it('is made again within a day where nobody deploys, and not all of them at once', async () => {
    const { application, repositoryId, hook } = await settle(provider);
    world.hosts[provider].hooks.delete(repositoryId);
    const missed = missedPush('main', 'It was heard.');
    await notePushTrouble(world.api.store.db, application.id, missed);
    await watchHooks(world.deps, () => 0.5);
    await world.settled();
    expect(hook()).toBeUndefined();
    await world.hurry();
    expect(hook()).toBeDefined();
    expect(await rowOf(repositoryId)).toMatchObject({ hook_id: hook()!.id });
    expect(await pushesOf(application)).toEqual(['failed', missed]);
  });

  it('counts no longer once the repository was moved to an account that is not linked', async () => {
    const { fullName, application } = await settle(provider);
    const { repositories, people } = world.hosts[provider];
    const to = `stranger${count}/repo`;
    Object.assign(repositories.get(fullName)!, { owner: `stranger${count}`, fullName: to });
    people.add(`person-${count}`).reaches.add(to);
    const deploy = async () => {
      await world.call('/api/applications/deploy', { applicationId: application.id }, who);
      await world.settled();
      await world.finish('healthy');
    };
    await deploy();
    expect(await pushesOf(application)).toEqual([
      'failed',
      expect.stringContaining(`${fullName} has become ${to} at its host, and that account is not linked`),
    ]);
    await world.linkConnection(provider, `stranger${count}`, [to], who);
    await world.settled();
    expect(await pushesOf(application)).toEqual(['ready', null]);
  });

  it('tells of nothing while the only connection is in trouble, and it is said whose that is', async () => {
    const { application } = await settle(provider);
    const set = (trouble: string | null) =>
      world.api.store.db
        .updateTable('vcs_connections')
        .set({ trouble })
        .where('account_login', '=', `person-${count}`)
        .execute();
    await set('The host no longer takes it. Connect again.');
    expect(await pushesOf(application)).toEqual([
      'failed',
      expect.stringContaining(`The connection of person-${count} no longer works.`),
    ]);
    await set(null);
    expect(await pushesOf(application)).toEqual(['ready', null]);
  });

  it('is made when the host answers again', async () => {
    const host = world.hosts[provider];
    const fullName = `down${++count}/repo`;
    await world.addRepository(fullName, provider);
    await world.linkConnection(provider, `waiting-${count}`, [fullName], who);
    host.isDown = true;
    const application = await world.create(`Down ${count}`, fullName, { provider, who });
    await world.settled();
    expect(await world.waiting()).toMatchObject([
      { kind: 'vcs.hooks', state: 'queued', payload: { failing: { tries: 1 } } },
    ]);
    expect(await warnings(application)).toEqual([]);
    expect(await pushesOf(application)).toEqual(['waiting', null]);
    host.isDown = false;
    await world.hurry();
    const { id } = host.repositories.get(fullName)!;
    expect(host.hooks.get(id)).toBeDefined();
    // Its id was not known when it was created, and is since.
    const { rows } = await world.api.store.pool.query(
      'select coalesce(provider2_project_id::text, provider3_repo_uuid) as id from applications where id = $1',
      [application.id],
    );
    expect(rows).toEqual([{ id }]);
    host.isDown = true;
    await remove(application);
    expect(await world.waiting()).toMatchObject([{ kind: 'vcs.unhook', state: 'queued' }]);
    host.isDown = false;
    await world.hurry();
    expect(host.hooks.get(id)).toBeUndefined();
  });

  it('stays at the host when nobody may remove it any more, and is forgotten here', async () => {
    const { application, repositoryId, hook } = await settle(provider);
    await world.api.store.db.deleteFrom('vcs_connections').execute();
    await remove(application);
    expect(hook()).toBeDefined();
    expect(await rowOf(repositoryId)).toBeUndefined();
    expect(await world.waiting()).toEqual([]);
  });
});

it('on the first host there are none: what its installations include is looked at', async () => {
  await world.addRepository('acme/one');
  const application = await world.create('One', 'acme/one', { who });
  await world.settled();
  expect(await pushesOf(application)).toEqual(['failed', expect.stringContaining('No installation at acme')]);
  const installationId = await world.linkInstallation('Acme', who);
  expect(await pushesOf(application)).toEqual(['waiting', null]);
  await world.tell([{ kind: 'installation', installationId, change: 'changed' }]);
  await world.settled();
  expect(await pushesOf(application)).toEqual(['ready', null]);
  await remove(application);
  const { rows } = await world.api.store.pool.query(`select from vcs_hooks where provider = 'provider1'`);
  expect(rows).toEqual([]);
});

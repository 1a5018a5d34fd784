import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { createOwner } from '../../../testing/factories.ts';
import { pushSteps } from './testing/push-steps.ts';
import { openPushWorld, type PushWorld } from './testing/push-world.ts';

let world: PushWorld;
beforeAll(async () => {
  world = await openPushWorld();
  await world.linkInstallation('acme');
});
afterAll(() => world[Symbol.asyncDispose]());

const { applicationNow, namesOf, settle, shas } = pushSteps(() => world);

describe('a push to a branch with an environment', () => {
  it('is deployed as by hand, by the platform itself', async () => {
    const { fullName, application, production } = await settle();
    const { sha } = await world.push(fullName, 'main', { message: 'Größer\n\nund besser' });
    const [deployment] = await world.deploymentsOf(production);
    expect(deployment).toMatchObject({
      status: 'pending',
      vcs_branch: 'main',
      commit_sha: sha,
      commit_message: 'Größer\n\nund besser',
    });
    expect((await world.activity()).at(-1)).toBe(`deployment_started ${application.name} / production`);
    const { rows } = await world.api.store.pool.query('select state from jobs where id = $1', [deployment!.job_id]);
    expect(rows).toEqual([{ state: 'queued' }]);
  });

  it('does nothing where environments are deployed by hand, or it is another branch', async () => {
    const { fullName, production } = await settle({ autoDeployOnPush: false, autoDeployBranches: [] });
    await world.push(fullName, 'main');
    await world.push(fullName, 'feature/x');
    expect(await world.deploymentsOf(production)).toHaveLength(1);
  });

  it('goes by what is set on the environment since', async () => {
    const { fullName, production } = await settle({ autoDeployOnPush: false, autoDeployBranches: [] });
    await world.call('/api/environments/update', { environmentId: production.id, autoDeploy: true });
    await world.push(fullName, 'main');
    expect(await world.deploymentsOf(production)).toHaveLength(2);
  });

  it('that arrives while another is built supersedes what waits', async () => {
    const { fullName, production } = await settle();
    const first = await world.push(fullName, 'main');
    await world.finish('building');
    const second = await world.push(fullName, 'main');
    const third = await world.push(fullName, 'main');
    expect((await shas(production)).slice(0, 3)).toEqual([
      [third.sha, 'pending'],
      [second.sha, 'cancelled'],
      [first.sha, 'building'],
    ]);
  });

  it('is not deployed again where a build that was asked for before reads that very commit, however long it takes', async () => {
    const { fullName, application, production } = await settle();
    await world.push(fullName, 'main');
    const [building] = await world.deploymentsOf(production);
    const set = (columns: object) =>
      world.api.store.db.updateTable('deployments').set(columns).where('id', '=', building!.id).execute();
    await set({ status: 'building', stage: 'fetching' });
    const { sha, ...event } = await world.commit(fullName, 'main');
    await world.tell([{ ...event, sha }]);
    await eventually('the push is put off', async () => (await world.waiting())[0]?.payload.waiting !== undefined);
    expect((await applicationNow(application)).push_trouble).toBeNull();
    expect((await world.deploymentsOf(production))[0]!.id).toBe(building!.id);
    await set({ commit_sha: sha, stage: 'detecting' });
    await eventually('it has its turn', async () => {
      await world.hurry();
      return (await world.waiting()).length === 0;
    });
    expect((await world.deploymentsOf(production))[0]!.id).toBe(building!.id);
    await world.finish('healthy');
  });

  it('waits for such a build alone: no other environment with it, nor it with what fails for another organisation', async () => {
    const { fullName, application, production } = await settle();
    const given = { applicationId: application.id, name: 'Preview', vcsBranch: 'main', autoDeploy: true };
    const { body: preview } = await world.call('/api/environments/create', given);
    const friend = await createOwner(world.api);
    const { installationId } = await world.eventOf(fullName, 'main');
    await world.linkInstallation('acme', friend, installationId!);
    const { id: failed } = await world.create('Failing', fullName, { who: friend });
    await world.settled();
    await world.finish('healthy');
    const { db } = world.api.store;
    await db.updateTable('applications').set({ provider1_repo_id: '999999' }).where('id', '=', failed).execute();
    await world.call('/api/environments/deploy', { environmentId: production.id });
    const [building] = await world.deploymentsOf(production);
    const set = (stage: 'fetching' | 'detecting') =>
      db.updateTable('deployments').set({ status: 'building', stage }).where('id', '=', building!.id).execute();
    await set('fetching');
    await world.settled();
    const event = await world.commit(fullName, 'main');
    await world.tell([event]);
    const failing = { applicationIds: [failed] };
    const isPutOff = async () => (await world.waiting())[0]?.payload.waiting !== undefined;
    await eventually('the push is put off', isPutOff);
    expect(await world.waiting()).toMatchObject([{ payload: { waiting: [application.id], failing } }]);
    expect((await shas(preview as { id: string }))[0]).toEqual([event.sha, 'pending']);
    await set('detecting');
    await eventually('what only waited has its turn', async () => {
      await world.hurry();
      return !(await isPutOff());
    });
    expect((await shas(production))[0]).toEqual([event.sha, 'pending']);
    expect(await world.waiting()).toMatchObject([{ payload: { failing } }]);
    await world.api.store.pool.query(`delete from jobs where kind = 'vcs.delivery' and state = 'queued'`);
    await world.finish('healthy');
  });

  it('ends with the head alone waiting, though fifty are told at once, in whatever order', async () => {
    const { fullName, production } = await settle();
    const events: Awaited<ReturnType<typeof world.commit>>[] = [];
    for (let each = 0; each < 10; each++) events.push(await world.commit(fullName, 'main'));
    const told = Array.from({ length: 50 }, (_, index) => events[(index * 7) % events.length]!);
    await Promise.all(told.map((event, index) => world.tell([event], { id: `storm-${index}` })));
    await world.settled();
    const deployed = await shas(production);
    expect(deployed.filter(([, status]) => status === 'pending')).toEqual([[events.at(-1)!.sha, 'pending']]);
    expect(deployed.filter(([, status]) => status === 'cancelled')).toEqual([]);
  });

  it('is known by the repository in whatever case its name is written', async () => {
    const { fullName, production } = await settle();
    const event = await world.commit(fullName, 'main');
    await world.tell([{ ...event, repository: { ...event.repository, fullName: fullName.toUpperCase() } }]);
    await world.settled();
    expect(await world.deploymentsOf(production)).toHaveLength(2);
  });

  it('is skipped where the head says so, whatever came before it', async () => {
    const { fullName, application, production } = await settle();
    await world.push(fullName, 'main', { message: 'Docs [skip deploy]' });
    await world.push(fullName, 'feature/docs', { message: '[SKIP DEPLOY]' });
    expect(await world.deploymentsOf(production)).toHaveLength(1);
    expect(await namesOf(application)).toEqual([['production', 'main']]);
    const { sha } = await world.push(fullName, 'main');
    expect((await shas(production))[0]).toEqual([sha, 'pending']);
  });

  it('asks git for the message where the host says none, or that of another commit', async () => {
    const { fullName, production } = await settle();
    const earlier = await world.commit(fullName, 'main');
    const skipping = await world.commit(fullName, 'main', { message: 'No [skip deploy]' });
    await world.tell([earlier]);
    await world.tell([{ ...skipping, message: null }]);
    await world.settled();
    expect(await world.deploymentsOf(production)).toHaveLength(1);
    const head = await world.commit(fullName, 'main', { message: 'Yes' });
    await world.tell([{ ...earlier, message: 'No [skip deploy]' }]);
    await world.settled();
    expect((await world.deploymentsOf(production))[0]).toMatchObject({ commit_sha: head.sha, commit_message: 'Yes' });
  });
});

describe('what is not theirs', () => {
  it('reaches no organisation that has not linked that very installation', async () => {
    const { fullName, production } = await settle();
    const stranger = await createOwner(world.api);
    const theirs = await world.create('Theirs', fullName, { who: stranger });
    await world.finish('healthy');
    const [theirProduction] = await world.environmentsOf(theirs);
    await world.linkInstallation('else', stranger);
    const event = await world.push(fullName, 'main');
    await world.tell([{ ...event, installationId: 999_999 }]);
    await world.tell([{ ...event, installationId: null }]);
    await world.settled();
    expect(await world.deploymentsOf(production)).toHaveLength(2);
    expect(await world.deploymentsOf(theirProduction!)).toHaveLength(1);
  });

  it('reaches every organisation that has, each with what it wants', async () => {
    const { fullName, production } = await settle();
    const friend = await createOwner(world.api);
    const installation = [...world.hosts.provider1.installations.values()].find(
      ({ account }) => account.login === 'acme',
    )!;
    await world.linkInstallation('acme', friend, installation.id);
    const theirs = await world.create('Also', fullName, { who: friend });
    await world.finish('healthy');
    const { sha } = await world.push(fullName, 'main');
    expect((await shas(production))[0]).toEqual([sha, 'pending']);
    expect((await shas((await world.environmentsOf(theirs))[0]!))[0]).toEqual([sha, 'pending']);
    expect((await world.activity(friend)).at(-1)).toBe('deployment_started Also / production');
  });

  it('reaches no other repository, no upload and no application that goes', async () => {
    const { fullName } = await settle();
    const other = await settle();
    const going = await settle();
    await world.call('/api/applications/delete', { applicationId: going.application.id });
    const event = await world.commit(going.fullName, 'main');
    await world.tell([event]);
    await world.push(fullName, 'main');
    expect(await world.deploymentsOf(other.production)).toHaveLength(1);
    expect((await world.deploymentsOf(going.production)).map(({ commit_sha }) => commit_sha)).toEqual([null]);
    expect(await world.waiting()).toEqual([]);
  });

  it('is nothing where the name of the branch cannot be one', async () => {
    const { fullName, production } = await settle();
    const event = await world.commit(fullName, 'main');
    for (const branch of ['-x', 'a..b', '', '--upload-pack=x', 'a b']) await world.tell([{ ...event, branch }]);
    await world.settled();
    expect(await world.deploymentsOf(production)).toHaveLength(1);
    expect(await world.waiting()).toEqual([]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { createOwner } from '../../../testing/factories.ts';
import { openRepositoryOf } from '../access/application-repository.ts';
import { watchHooks } from '../hooks/watch-hooks.ts';
import { openPushWorld, type PushWorld } from './testing/push-world.ts';

let world: PushWorld;
beforeAll(async () => {
  world = await openPushWorld();
  await world.linkInstallation('acme');
});
afterAll(() => world[Symbol.asyncDispose]());

let count = 0;

/** A repository and an application of it that nobody else uses, its first deployment over. */
async function settle(given: object = {}) {
  const fullName = `acme/Repo-${++count}`;
  await world.addRepository(fullName);
  const application = await world.create(`App ${count}`, fullName, given);
  await world.finish('healthy');
  const [production] = await world.environmentsOf(application);
  return { fullName, application, production: production! };
}

const shas = async (environment: { id: string }) =>
  (await world.deploymentsOf(environment)).map(({ commit_sha, status }) => [commit_sha, status]);

const namesOf = async (application: { id: string }) =>
  (await world.environmentsOf(application)).map(({ name, vcs_branch }) => [name, vcs_branch]);

/** By a person, to what counts as having been live. */
async function rollBackTo(environment: { id: string }, sha: string): Promise<void> {
  const { id: deploymentId } = (await world.deploymentsOf(environment)).find((each) => each.commit_sha === sha)!;
  await world.api.store.pool.query(
    `update deployments set artifact_id = 'art_of_a_test', released_at = now() where id = $1`,
    [deploymentId],
  );
  const rolledBack = await world.call('/api/deployments/rollback', { environmentId: environment.id, deploymentId });
  expect(rolledBack.status).toBe(200);
}

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
    await Promise.all(told.map((event, index) => world.tell([event], { id: `storm-${count}-${index}` })));
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

describe('what was told before', () => {
  it('changes nothing, under its own id or another, while it waits, is built or is live', async () => {
    const { fullName, application, production } = await settle();
    const events = [await world.commit(fullName, 'main'), await world.commit(fullName, 'feature/x')];
    for (const event of events) await world.tell([event], { id: `first ${event.branch} ${count}` });
    await world.settled();
    const before = [await shas(production), await namesOf(application), await world.activity()];
    expect(before[1]).toHaveLength(2);
    for (const status of ['pending', 'building', 'healthy'] as const) {
      if (status !== 'pending') await world.finish(status);
      for (const event of events) {
        const again = await world.post(
          world.hosts.provider1.delivery([event], { id: `first ${event.branch} ${count}` }),
        );
        expect(again).toMatchObject({ status: 200, body: { message: expect.stringContaining('before') } });
        await world.tell([event]);
      }
      await world.settled();
      const [deployments, ...rest] = before;
      expect([await namesOf(application), await world.activity()]).toEqual(rest);
      expect((await shas(production)).map(([sha]) => sha)).toEqual((deployments as string[][]).map(([sha]) => sha));
    }
  });

  it('tries a commit again that has failed meanwhile', async () => {
    const { fullName, production } = await settle();
    const event = await world.push(fullName, 'main');
    await world.finish('failed');
    await world.tell([event]);
    await world.settled();
    expect((await shas(production)).slice(0, 2)).toEqual([
      [event.sha, 'pending'],
      [event.sha, 'failed'],
    ]);
  });

  it('is not tried again when it is the very same body under another id', async () => {
    const provider = 'provider3';
    const fullName = `acme/replayed-${++count}`;
    await world.addRepository(fullName, provider);
    await world.linkConnection(provider, `replayed-${count}`, [fullName]);
    const [production] = await world.environmentsOf(await world.create(`App ${count}`, fullName, { provider }));
    await world.finish('healthy');
    const event = await world.commit(fullName, 'main', { provider });
    const request = world.hosts[provider].delivery([event]);
    expect((await world.post(request, provider)).body.message).toBe('Received.');
    await world.settled();
    await world.finish('failed');
    for (const id of ['one more', 'and another']) {
      const headers = { ...request.headers, 'x-stand-in-id': id };
      expect((await world.post({ ...request, headers }, provider)).body.message).toBe('Received.');
    }
    await world.settled();
    expect((await shas(production!)).map(([, status]) => status)).toEqual(['failed', 'healthy']);
    // Back to it from another commit, it is a push like any.
    const next = await world.push(fullName, 'main', { provider });
    await world.git.git(`three/${fullName}`, ['update-ref', 'refs/heads/main', event.sha!]);
    await world.post({ ...request, headers: { ...request.headers, 'x-stand-in-id': 'back' } }, provider);
    await world.settled();
    expect((await shas(production!)).map(([sha]) => sha).slice(0, 2)).toEqual([event.sha, next.sha]);
  });

  it.each([
    ['provider1', 'one'],
    ['provider2', 'two'],
    ['provider3', 'three'],
  ] as const)('on %s undoes no rollback, but a branch that was moved back is deployed', async (provider, folder) => {
    const fullName = `acme/back-${provider}`;
    await world.addRepository(fullName, provider);
    if (provider !== 'provider1') await world.linkConnection(provider, `back-${provider}`, [fullName]);
    const { id: applicationId } = await world.create(`Back ${provider}`, fullName, { provider });
    const [production] = await world.environmentsOf({ id: applicationId });
    const first = await world.push(fullName, 'main', { provider });
    await world.finish('healthy');
    let head = first;
    for (const [how, status] of [
      ['by a push', 'healthy'],
      ['by a push', 'failed'],
      ['by hand', 'failed'],
    ] as const) {
      if (how === 'by a push') head = await world.push(fullName, 'main', { provider });
      else await world.call('/api/applications/deploy', { applicationId });
      await world.finish(status);
      await rollBackTo(production!, first.sha!);
      const before = await shas(production!);
      await world.tell([head], { provider });
      await world.settled();
      expect(await shas(production!)).toEqual(before);
    }
    await world.git.git(`${folder}/${fullName}`, ['update-ref', 'refs/heads/main', first.sha!]);
    await world.tell([first], { provider });
    await world.settled();
    expect((await shas(production!))[0]).toEqual([first.sha, 'pending']);
  });

  it('is deployed after a rollback where the branch was elsewhere in between, though nothing was deployed there', async () => {
    const { fullName, production } = await settle();
    const first = await world.push(fullName, 'main');
    await world.finish('healthy');
    const second = await world.push(fullName, 'main');
    await world.finish('healthy');
    await rollBackTo(production, first.sha!);
    await world.push(fullName, 'main', { message: 'Words only [skip deploy]' });
    await world.git.git(`one/${fullName}`, ['update-ref', 'refs/heads/main', second.sha!]);
    await world.tell([second]);
    await world.settled();
    expect((await shas(production))[0]).toEqual([second.sha, 'pending']);
  });

  it.each(['provider2', 'provider3'] as const)(
    'on %s brings back no environment that a person has deleted; a new commit does, and a branch that was deleted',
    async (provider) => {
      const fullName = `acme/away-${provider}`;
      const branch = 'feature/away';
      await world.addRepository(fullName, provider);
      await world.linkConnection(provider, `away-${provider}`, [fullName]);
      const application = await world.create(`Away ${provider}`, fullName, { provider });
      const event = await world.push(fullName, branch, { provider });
      const remove = async () => {
        const made = (await world.environmentsOf(application)).find(({ vcs_branch }) => vcs_branch === branch)!;
        expect((await world.call('/api/environments/delete', { environmentId: made.id })).status).toBe(200);
        // Its name is given up when the last of it is gone.
        await world.api.store.db.deleteFrom('environments').where('id', '=', made.id).execute();
      };
      const hasOne = async () => (await namesOf(application)).some(([, of]) => of === branch);
      await remove();
      await world.tell([event], { provider });
      await world.settled();
      expect(await hasOne()).toBe(false);
      const next = await world.push(fullName, branch, { provider });
      expect(await hasOne()).toBe(true);
      await remove();
      await world.tell([await world.deleteBranch(fullName, branch, provider)], { provider });
      await world.settled();
      await world.git.git(`${provider === 'provider2' ? 'two' : 'three'}/${fullName}`, [
        'update-ref',
        `refs/heads/${branch}`,
        next.sha!,
      ]);
      await world.tell([next], { provider });
      await world.settled();
      expect(await hasOne()).toBe(true);
    },
  );

  it('is acted on in whatever order it comes: the head counts', async () => {
    const { fullName, application, production } = await settle();
    const [older, newer] = [await world.commit(fullName, 'main'), await world.commit(fullName, 'main')];
    const created = await world.commit(fullName, 'feature/late');
    const deleted = await world.deleteBranch(fullName, 'feature/late');
    for (const event of [newer, older, deleted, created]) await world.tell([event]);
    await world.settled();
    expect((await shas(production)).map(([sha]) => sha)).toEqual([newer.sha, null]);
    expect(await namesOf(application)).toEqual([['production', 'main']]);
  });
});

describe('a new branch', () => {
  it('gets an environment of its own, deployed on every push, without the variables of others', async () => {
    const { fullName, application } = await settle({ environmentVars: { SECRET: 'of production' } });
    const { sha } = await world.push(fullName, 'feature/ÄÖ-x');
    const [, made] = await world.environmentsOf(application);
    expect(made).toMatchObject({
      name: 'feature-ao-x',
      vcs_branch: 'feature/ÄÖ-x',
      subdomain: `${application.slug}-feature-ao-x`,
      auto_deploy: true,
      made_by_push: true,
      is_production: false,
      variables: null,
      min_instances: 0,
      max_instances: 10,
    });
    expect(await shas(made!)).toEqual([[sha, 'pending']]);
    const route = await world.api.store.db
      .selectFrom('routes')
      .selectAll()
      .where('environment_id', '=', made!.id)
      .execute();
    expect(route).toMatchObject([{ subdomain: made!.subdomain }]);
    expect((await world.activity()).slice(-2)).toEqual([
      `environment_created ${application.name} / feature-ao-x`,
      `deployment_started ${application.name} / feature-ao-x`,
    ]);
    const next = await world.push(fullName, 'feature/ÄÖ-x');
    expect((await shas(made!))[0]).toEqual([next.sha, 'pending']);
    expect(await namesOf(application)).toHaveLength(2);
  });

  it('gets none where git has no such names, and people read why', async () => {
    const { fullName, application, production } = await settle({ autoDeployBranches: ['**'] });
    const event = await world.eventOf(fullName, 'main');
    await world.tell([{ ...event, branch: '-dash' }]);
    await world.settled();
    expect(await namesOf(application)).toHaveLength(1);
    const { body } = await world.call('/api/environments/logs', { environmentId: production.id });
    expect((body as string[]).at(-1)).toContain('The branch "-dash" gets no environment');
  });

  it('gets none where the list does not name it', async () => {
    const autoDeployBranches = ['feature/*', 'v?.x', '!feature/wip*'];
    const { fullName, application } = await settle({ autoDeployBranches });
    for (const branch of ['feature/a', 'feature/b/c', 'feature/wip-1', 'v1.x', 'v12.x', 'fix']) {
      await world.push(fullName, branch);
    }
    expect((await namesOf(application)).map(([, branch]) => branch)).toEqual(['main', 'feature/a', 'v1.x']);
  });

  it('gets a name of its own though others come to the same letters, are taken, or are far too long', async () => {
    const { fullName, application } = await settle();
    const long = `feature/${'long-'.repeat(38)}`;
    const branches = [
      'feature/x',
      'feature/X',
      'feature-x',
      'Feature_x',
      `${long}1`,
      `${long}2`,
      'production',
      '日本',
      `a'$(x);"&`,
    ];
    const { id } = application;
    await world.api.store.db
      .updateTable('applications')
      .set({ auto_deploy_branches: ['**'] })
      .where('id', '=', id)
      .execute();
    for (const branch of branches) await world.push(fullName, branch);
    const environments = await world.environmentsOf(application);
    expect(environments.map(({ vcs_branch }) => vcs_branch)).toEqual(['main', ...branches]);
    expect(environments.map(({ name }) => name)).toEqual([
      'production',
      'feature-x',
      'feature-x-2',
      'feature-x-3',
      'feature-x-4',
      expect.stringMatching(/^feature-long-.{1,50}$/),
      expect.stringMatching(/^feature-long-.{1,50}-2$/),
      'production-2',
      'app',
      'a-x',
    ]);
    expect(new Set(environments.map(({ subdomain }) => subdomain)).size).toBe(environments.length);
    for (const { subdomain } of environments) expect(subdomain).toMatch(/^[a-z0-9-]{1,63}$/);
  });

  it('gets one environment though two pushes of it come at the same moment', async () => {
    const { fullName, application } = await settle();
    await world.work();
    const first = await world.commit(fullName, 'feature/race');
    const second = await world.commit(fullName, 'feature/race');
    await Promise.all([first, second, first, second].map((event) => world.tell([event])));
    await world.settled();
    const [, made, ...more] = await world.environmentsOf(application);
    expect(more).toEqual([]);
    expect((await shas(made!)).map(([sha]) => sha)).toEqual([second.sha]);
  });

  it('gets none when the application has too many of them, which is told, and nobody else notices', async () => {
    const { fullName, application, production } = await settle();
    const { organisation_id, id: application_id } = application;
    const values = Array.from({ length: 50 }, (_, index) => ({
      id: `env_full_${index}`,
      organisation_id,
      application_id,
      name: `full ${index}`,
      subdomain: `full-${index}`,
      vcs_branch: `feature/full-${index}`,
      made_by_push: true,
    }));
    await world.api.store.db.insertInto('environments').values(values).execute();
    await world.push(fullName, 'feature/one-too-many');
    expect(await world.environmentsOf(application)).toHaveLength(51);
    await world.push(fullName, 'feature/one-too-many');
    const trouble = expect.stringMatching(
      /"feature\/one-too-many" gets no environment: .* 50 .* Delete some/,
    ) as string;
    await watchHooks(world.deps, () => 0);
    await world.settled();
    expect((await applicationNow(application)).push_trouble).toEqual(trouble);
    const { body } = await world.call('/api/environments/logs', { environmentId: production.id });
    expect((body as string[]).filter((line) => line.includes(' WARN '))).toEqual([trouble]);
    const { sha } = await world.push(fullName, 'main');
    expect((await shas(production))[0]).toEqual([sha, 'pending']);
    expect((await applicationNow(application)).push_trouble).toBeNull();
  });

  it('is no environment twice where a person has made one', async () => {
    const { fullName, application } = await settle();
    await world.commit(fullName, 'feature/mine');
    const given = { applicationId: application.id, name: 'Mine', vcsBranch: 'feature/mine' };
    expect((await world.call('/api/environments/create', given)).status).toBe(201);
    await world.push(fullName, 'feature/mine');
    expect(await namesOf(application)).toEqual([
      ['production', 'main'],
      ['Mine', 'feature/mine'],
    ]);
  });
});

describe('a deleted branch', () => {
  it('takes its environments along, and comes back with them', async () => {
    const { fullName, application } = await settle();
    await world.push(fullName, 'feature/x');
    const [, made] = await world.environmentsOf(application);
    await world.tell([await world.deleteBranch(fullName, 'feature/x')]);
    await world.settled();
    expect(await namesOf(application)).toEqual([['production', 'main']]);
    expect((await world.activity()).at(-1)).toBe(`environment_deleted ${application.name} / feature-x`);
    const again = await world.push(fullName, 'feature/x');
    // Its name is given up when the last of it is gone.
    expect(await world.waiting()).toMatchObject([
      { kind: 'vcs.delivery', state: 'queued', payload: { failing: { tries: 1 } } },
    ]);
    await world.api.store.db.deleteFrom('environments').where('id', '=', made!.id).execute();
    await world.hurry();
    const [, anew] = await world.environmentsOf(application);
    expect(anew).toMatchObject({ name: 'feature-x', subdomain: made!.subdomain });
    expect(await shas(anew!)).toEqual([[again.sha, 'pending']]);
  });

  it('keeps production, and everything where the application says so', async () => {
    const { fullName, application } = await settle({ autoDeleteStaleEnvs: false });
    await world.push(fullName, 'feature/x');
    await world.tell([await world.deleteBranch(fullName, 'feature/x')]);
    const other = await settle();
    await world.git.git(`one/${other.fullName}`, ['symbolic-ref', 'HEAD', 'refs/heads/other']);
    await world.tell([await world.deleteBranch(other.fullName, 'main')]);
    await world.settled();
    expect(await namesOf(application)).toHaveLength(2);
    expect(await namesOf(other.application)).toHaveLength(1);
  });

  it('is not believed while git has it', async () => {
    const { fullName, application } = await settle();
    const pushed = await world.push(fullName, 'feature/x');
    await world.tell([{ ...pushed, sha: null, message: null }]);
    await world.tell([{ ...pushed, branch: 'main', sha: null, message: null }]);
    await world.settled();
    expect(await namesOf(application)).toHaveLength(2);
    expect(await shas((await world.environmentsOf(application))[1]!)).toEqual([[pushed.sha, 'pending']]);
  });
});

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

const applicationNow = async ({ id: applicationId }: { id: string }) =>
  (await world.call('/api/applications/get', { applicationId })).body;

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

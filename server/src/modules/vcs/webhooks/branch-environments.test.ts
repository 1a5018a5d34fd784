import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { watchHooks } from '../hooks/watch-hooks.ts';
import { pushSteps } from './testing/push-steps.ts';
import { openPushWorld, type PushWorld } from './testing/push-world.ts';

let world: PushWorld;
beforeAll(async () => {
  world = await openPushWorld();
  await world.linkInstallation('acme');
});
afterAll(() => world[Symbol.asyncDispose]());

const { applicationNow, namesOf, settle, shas } = pushSteps(() => world);

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

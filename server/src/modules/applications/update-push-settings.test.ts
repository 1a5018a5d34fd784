import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openProjectWorld, type ProjectWorld } from './testing/project-world.ts';

let world: ProjectWorld;
beforeAll(async () => {
  world = await openProjectWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const update = (applicationId: string, body: object) =>
  world.call('/api/applications/update', { applicationId, ...body });
const refused = (message: RegExp) => ({
  status: 400,
  body: { code: 'VA001', message: expect.stringMatching(message) as string },
});

describe('POST /api/applications/update', () => {
  it('changes what a push does, and answers the application as it is shown', async () => {
    const { id } = await world.create('Pushed');
    const production = await world.productionOf({ id });
    const answer = await update(id, { autoDeployOnPush: true, autoDeployBranches: ['feature/*'] });
    expect(answer).toMatchObject({
      status: 200,
      body: { auto_deploy_on_push: true, auto_deploy_branches: ['feature/*'], auto_delete_stale_envs: false },
    });
    expect(answer.body).toEqual((await world.call('/api/applications/get', { applicationId: id })).body);
    expect((await world.productionOf({ id })).auto_deploy).toBe(true);
    expect((await update(id, { autoDeleteStaleEnvs: true })).body).toMatchObject({
      auto_deploy_branches: ['feature/*'],
      auto_delete_stale_envs: true,
    });
    expect((await update(id, { autoDeployOnPush: false })).body).toMatchObject({
      auto_deploy_on_push: false,
      auto_deploy_branches: ['feature/*'],
    });
    expect((await world.productionOf({ id })).auto_deploy).toBe(false);
    expect(await world.actionsOf(production.id)).toEqual([
      'application_created',
      ...Array(3).fill('application_updated'),
    ]);
  });

  it('409 for branches alone while pushes deploy nothing, with the way to have them: nothing is turned on', async () => {
    const { id } = await world.create('Named', { autoDeployOnPush: true });
    await update(id, { autoDeployOnPush: false });
    expect(await update(id, { autoDeployBranches: ['fix/*'] })).toMatchObject({
      status: 409,
      body: { code: 'CF001', message: expect.stringMatching(/autoDeployOnPush: true.*autoDeploy: false/) as string },
    });
    const { body } = await world.call('/api/applications/get', { applicationId: id });
    expect(body).toMatchObject({ auto_deploy_on_push: false, auto_deploy_branches: [] });
    expect((await world.productionOf({ id })).auto_deploy).toBe(false);
    expect(await update(id, { autoDeployBranches: [], autoDeleteStaleEnvs: true })).toMatchObject({ status: 200 });
  });

  it('an empty list ends only the branches', async () => {
    const { id } = await world.create('Ended', { autoDeployBranches: [' fix/* '] });
    expect((await update(id, { autoDeployBranches: [] })).body).toMatchObject({
      auto_deploy_on_push: true,
      auto_deploy_branches: [],
    });
  });

  it('leaves the switch of production alone unless its own was meant: so there are branches without it', async () => {
    const { id } = await world.create('Held', { autoDeployOnPush: true });
    const production = await world.productionOf({ id });
    await world.call('/api/environments/update', { environmentId: production.id, autoDeploy: false });
    expect((await update(id, { autoDeployBranches: ['fix/*'] })).body).toMatchObject({
      auto_deploy_on_push: true,
      auto_deploy_branches: ['fix/*'],
    });
    expect((await world.productionOf({ id })).auto_deploy).toBe(false);
    await update(id, { autoDeployOnPush: true });
    expect((await world.productionOf({ id })).auto_deploy).toBe(true);
  });

  it('leaves no trace of what is so already', async () => {
    const { id, updated_at: before } = await world.create('Same', { autoDeployBranches: ['fix/*'] });
    await update(id, { autoDeployOnPush: true, autoDeployBranches: ['fix/*'], autoDeleteStaleEnvs: false });
    const { body } = await world.call('/api/applications/get', { applicationId: id });
    expect(body.updated_at).toBe(before.toISOString());
    expect(await world.actionsOf((await world.productionOf({ id })).id)).toEqual(['application_created']);
  });

  it('400 for nothing, for branches that would do nothing, and for what cannot be a pattern', async () => {
    const { id } = await world.create('Wrong');
    expect(await update(id, {})).toMatchObject(refused(/Give at least one of/));
    const contrary = { autoDeployOnPush: false, autoDeployBranches: ['fix/*'] };
    for (const call of [update(id, contrary), createWith(contrary)]) {
      expect(await call).toMatchObject(refused(/does nothing while autoDeployOnPush is false/));
    }
    for (const pattern of ['feature/*,fix/*', '[bad', ' ']) {
      expect(await update(id, { autoDeployBranches: [pattern] })).toMatchObject(refused(/autoDeployBranches/));
      expect(await createWith({ autoDeployBranches: [pattern] })).toMatchObject(refused(/autoDeployBranches/));
    }
  });

  it('409 for an application that has no repository', async () => {
    const { id: uploadId } = await world.readyUpload();
    const archive = { name: 'Archive', uploadId, deploymentType: 'static' };
    const { body } = await world.call('/api/applications/create-from-upload', archive);
    expect(await update(body.id as string, { autoDeployOnPush: true })).toMatchObject({
      status: 409,
      body: { code: 'CF001', message: expect.stringMatching(/from archives/) as string },
    });
  });

  it('at the creation too, named branches are meant to be deployed', async () => {
    const application = await world.create('Branches', { autoDeployBranches: ['fix/*'] });
    expect(application).toMatchObject({ auto_deploy_on_push: true, auto_deploy_branches: ['fix/*'] });
    expect((await world.productionOf(application)).auto_deploy).toBe(true);
  });
});

const createWith = (body: object) =>
  world.call('/api/applications/create', { name: 'Never', vcsRepoUrl: world.repositoryUrl, ...body });

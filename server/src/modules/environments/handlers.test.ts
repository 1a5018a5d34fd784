import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createMember, createOwner } from '../../testing/factories.ts';
import { openProjectWorld, type ProjectWorld } from '../applications/testing/project-world.ts';

let world: ProjectWorld;
beforeAll(async () => {
  world = await openProjectWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const create = (applicationId: string, body: object = {}) =>
  world.call('/api/environments/create', { applicationId, name: 'preview', vcsBranch: 'next', ...body });

async function createPreview(name: string, body: object = {}): Promise<string> {
  const application = await world.create(name);
  const created = await create(application.id, body);
  expect(created.status).toBe(201);
  return created.body.id;
}

describe('POST /api/environments/create', () => {
  it('201: pending, at the address of both names, with nothing built', async () => {
    const application = await world.create('Home');
    const { status, body } = await create(application.id, { name: ' Feature A ' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^env_/),
      application_id: application.id,
      name: 'Feature A',
      vcs_branch: 'next',
      is_production: false,
      status: 'pending',
      url: 'http://home-feature-a.localhost:7080',
    });
    expect(await world.routeOf(body.id)).toEqual({ subdomain: 'home-feature-a', target: null });
    expect(await world.actionsOf(body.id)).toEqual(['environment_created']);
    const { db } = world.api.store;
    const deployments = db.selectFrom('deployments').select('id').where('environment_id', '=', body.id);
    expect(await deployments.execute()).toEqual([]);
  });

  it('keeps what is said and inherits the rest', async () => {
    const environmentId = await createPreview('Inherits', {
      autoDeploy: true,
      outputDirectory: './out/',
      environmentVars: { TOKEN: '$x' },
      containerPort: 3000,
      memory: '1Gi',
      cpu: '2',
      minInstances: 2,
      maxInstances: 100,
      customDomain: 'Preview.Example.COM',
    });
    const { body } = await world.call('/api/environments/get', { environmentId });
    expect(body).toMatchObject({
      auto_deploy: true,
      build_command: null,
      output_directory: 'out',
      environment_vars: { TOKEN: '$x' },
      container_port: 3000,
      memory: '1Gi',
      cpu: '2',
      region: null,
      min_instances: 2,
      max_instances: 20,
      custom_domain: 'preview.example.com',
      live_deployment_id: null,
    });
  });

  it('409 for a second production environment, and for a name the application has, in whatever case', async () => {
    const { id } = await world.create('Once');
    expect(await create(id, { isProduction: true })).toMatchObject({ status: 409, body: { code: 'CF001' } });
    expect((await create(id, { name: 'Größe' })).status).toBe(201);
    for (const name of ['größe', 'GRÖßE', 'PRODUCTION']) {
      expect(await create(id, { name })).toMatchObject({ status: 409, body: { code: 'CF001' } });
    }
    const other = await world.create('Twice');
    expect((await create(other.id, { name: 'Größe' })).status).toBe(201);
  });

  it('one of several that want one name at the same moment gets it', async () => {
    const { id } = await world.create('Contended');
    const answers = await Promise.all(Array.from({ length: 5 }, () => create(id)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409]);
  });

  it('has a suffix where somebody has the address', async () => {
    await world.create('Busy preview');
    const { id } = await world.create('Busy');
    expect((await create(id)).body.url).toMatch(/^http:\/\/busy-preview-[a-z2-9]{6}\.localhost:7080$/);
  });

  it.each([
    [{ vcsBranch: '-x' }, 'vcsBranch'],
    [{ vcsBranch: undefined }, 'vcsBranch'],
    [{ outputDirectory: '/x' }, 'outputDirectory'],
    [{ memory: '32Gi', cpu: '0.5' }, 'cpu'],
    [{ cpu: '8' }, 'cpu'],
    [{ minInstances: 5, maxInstances: 4 }, 'minInstances'],
    [{ customDomain: 'localhost' }, 'customDomain'],
    [{ environmentVars: { A: null } }, 'environmentVars'],
    [{ isProduction: 'true' }, 'isProduction'],
  ])('400 VA001 for %o', async (settings, field) => {
    const { id } = await world.create('Strict');
    const refused = await create(id, settings);
    expect(refused).toMatchObject({ status: 400, body: { code: 'VA001' } });
    expect(refused.body.message).toContain(field);
  });

  it('400 VA003 for a branch that the repository does not have, naming those it has; an upload has none', async () => {
    const { id } = await world.create('Branches');
    const refused = await create(id, { vcsBranch: 'nxet' });
    expect(refused).toMatchObject({ status: 400, body: { code: 'VA003' } });
    expect(refused.body.message).toBe('The repository has no branch "nxet". It has main, next.');
    const { body: made } = await world.call('/api/applications/create-from-upload', {
      name: 'From an archive',
      uploadId: (await world.readyUpload()).id,
      deploymentType: 'static',
    });
    expect((await create(made.id, { vcsBranch: 'nxet' })).status).toBe(201);
  });

  it('400 VA001 naming the variable whose name cannot be one, and the rule', async () => {
    const { id } = await world.create('Named');
    const refused = await create(id, { environmentVars: { GOOD: 'x', 'MY-KEY': 'x' } });
    expect(refused).toMatchObject({ status: 400, body: { code: 'VA001' } });
    expect(refused.body.message).toBe(
      'environmentVars holds the name "MY-KEY", which does not have the right form: ASCII letters, digits and _, with ' +
        'no digit first',
    );
  });

  it("404 for another organisation's application, 403 for who may only read", async () => {
    const theirs = await world.create('Theirs', {}, await createOwner(world.api));
    expect(await create(theirs.id)).toMatchObject({ status: 404, body: { code: 'NF001' } });
    const reader = await createMember(world.api, world.owner);
    const { id: applicationId } = await world.create('Read only');
    const refused = await world.call('/api/environments/create', { applicationId, name: 'x', vcsBranch: 'y' }, reader);
    expect(refused).toMatchObject({ status: 403, body: { code: 'CA005' } });
  });
});

describe('POST /api/environments', () => {
  it('lists production first, then the oldest, without variables', async () => {
    const { id: applicationId } = await world.create('Listed');
    for (const name of ['b', 'a']) await create(applicationId, { name, environmentVars: { SECRET: 'x' } });
    const { body } = await world.call('/api/environments', { applicationId });
    expect(body.map(({ name }: { name: string }) => name)).toEqual(['production', 'b', 'a']);
    expect(JSON.stringify(body)).not.toMatch(/SECRET|variables|environment_vars/);
  });
});

describe('POST /api/environments/get', () => {
  it('says what is wrong with the instances of what is live, and that the address is open', async () => {
    const environmentId = await createPreview('Troubled');
    const get = async () => (await world.call('/api/environments/get', { environmentId })).body;
    expect(await get()).toMatchObject({ trouble: null, password_protected: false });
    const trouble = 'It was ended 3 times in a row: it used more than 512Mi.';
    await world.api.store.db.updateTable('environments').set({ trouble }).where('id', '=', environmentId).execute();
    expect(await get()).toMatchObject({ trouble });
  });

  it('says why the last deployment failed, where nothing else is wrong', async () => {
    const environmentId = await createPreview('Failing');
    const { db } = world.api.store;
    const { organisation_id, application_id } = await db
      .updateTable('environments')
      .set({ status: 'failed' })
      .where('id', '=', environmentId)
      .returningAll()
      .executeTakeFirstOrThrow();
    const ended = { organisation_id, application_id, environment_id: environmentId, status: 'failed' as const };
    const failures = [
      { ...ended, id: 'dep_earlier', error: 'The first try.', completed_at: new Date(Date.now() - 1000) },
      { ...ended, id: 'dep_later', error: 'npm run build failed with exit code 1.', completed_at: new Date() },
    ];
    await db.insertInto('deployments').values(failures).execute();
    const { body } = await world.call('/api/environments/get', { environmentId });
    expect(body.trouble).toBe('The last deployment failed (dep_later): npm run build failed with exit code 1.');
  });
});

describe('POST /api/environments/status', () => {
  it('costs one query', async () => {
    const environmentId = await createPreview('Polled');
    const connections = vi.spyOn(world.api.store.pool, 'connect');
    const { body } = await world.call('/api/environments/status', { environmentId });
    expect(body).toEqual({ id: environmentId, status: 'pending' });
    expect(connections).toHaveBeenCalledTimes(1);
    connections.mockRestore();
  });
});

describe('POST /api/environments/deploy', () => {
  it('starts a deployment of its branch', async () => {
    const environmentId = await createPreview('Deploys');
    const { status, body } = await world.call('/api/environments/deploy', { environmentId });
    expect(status).toBe(200);
    expect(body).toMatchObject({ environment_id: environmentId, status: 'pending', commit_sha: null });
    const { db } = world.api.store;
    const row = await db.selectFrom('deployments').selectAll().where('id', '=', body.id).executeTakeFirstOrThrow();
    expect(row.vcs_branch).toBe('next');
    expect(await world.actionsOf(environmentId)).toEqual(['environment_created', 'deployment_started']);
  });
});

describe('POST /api/environments/activity', () => {
  it('clamps its range instead of refusing it', async () => {
    const environmentId = await createPreview('Active');
    for (const name of ['p1', 'p2', 'p3']) await world.call('/api/environments/update', { environmentId, name });
    const list = async (range: object) =>
      (await world.call('/api/environments/activity', { environmentId, ...range })).body as { action: string }[];
    expect(await list({})).toHaveLength(4);
    expect(await list({ limit: 0, offset: -5 })).toHaveLength(1);
    expect(await list({ limit: 1e9, offset: 1.9 })).toHaveLength(3);
    expect(await list({ offset: 1e300 })).toEqual([]);
    expect((await list({}))[0]).toEqual({
      id: expect.stringMatching(/^act_/),
      action: 'environment_renamed',
      actor_email: world.owner.email,
      deployment_id: null,
      created_at: expect.any(String),
    });
  });

  it('names the deployment that somebody began or cancelled', async () => {
    const environmentId = await createPreview('Told');
    const { id: deploymentId } = (await world.call('/api/environments/deploy', { environmentId })).body;
    await world.call('/api/deployments/cancel', { deploymentId });
    const { body } = await world.call('/api/environments/activity', { environmentId, limit: 2 });
    expect(body).toMatchObject([
      { action: 'deployment_cancelled', deployment_id: deploymentId },
      { action: 'deployment_started', deployment_id: deploymentId },
    ]);
  });
});

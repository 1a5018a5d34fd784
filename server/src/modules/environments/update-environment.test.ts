import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOwner } from '../../testing/factories.ts';
import { openProjectWorld, type ProjectWorld } from '../applications/testing/project-world.ts';

let world: ProjectWorld;
beforeAll(async () => {
  world = await openProjectWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const get = async (environmentId: string) => (await world.call('/api/environments/get', { environmentId })).body;
const update = (environmentId: string, body: object) =>
  world.call('/api/environments/update', { environmentId, ...body });

async function createPreview(name: string, body: object = {}): Promise<string> {
  const { id: applicationId } = await world.create(name);
  const values = { applicationId, name: 'preview', vcsBranch: 'next', ...body };
  const created = await world.call('/api/environments/create', values);
  expect(created.status).toBe(201);
  return created.body.id;
}

describe('POST /api/environments/update', () => {
  it('changes what is given and nothing else, and shows the outcome without the variables', async () => {
    const id = await createPreview('Some', { environmentVars: { A: '1' }, buildCommand: 'make', memory: '1Gi' });
    const before = await get(id);
    const { status, body } = await update(id, { maxInstances: 7, outputDirectory: 'dist/', autoDeploy: true });
    expect(status).toBe(200);
    const { environment_vars, ...shown } = before;
    expect(body).toEqual({
      ...shown,
      max_instances: 7,
      output_directory: 'dist',
      auto_deploy: true,
      updated_at: expect.any(String),
    });
    expect(environment_vars).toEqual({ A: '1' });
    expect((await get(id)).environment_vars).toEqual({ A: '1' });
    expect(await world.actionsOf(id)).toEqual(['environment_created', 'environment_updated', 'scaling_updated']);
  });

  it('replaces the whole set of variables, byte for byte', async () => {
    const id = await createPreview('Vars', { environmentVars: { OLD: 'x', BOTH: '1' } });
    const environmentVars = { BOTH: '2', QUOTES: `'"\\$(x)#`, LINES: 'a\r\nb\n', EMPTY: '' };
    await update(id, { environmentVars });
    expect((await get(id)).environment_vars).toStrictEqual(environmentVars);
    await update(id, { environmentVars: {} });
    expect((await get(id)).environment_vars).toStrictEqual({});
    const created = 'environment_created';
    expect(await world.actionsOf(id)).toEqual([created, 'environment_vars_updated', 'environment_vars_updated']);
    const { rows } = await world.api.store.pool.query('select * from activity_entries');
    expect(JSON.stringify(rows)).not.toMatch(/QUOTES|BOTH/);
  });

  it('sets and removes single variables, whatever others set at the same time', async () => {
    const id = await createPreview('Patched', { environmentVars: { KEPT: 'x', GONE: '1' } });
    const names = Array.from({ length: 10 }, (_, index) => `V${index}`);
    await Promise.all([
      update(id, { environmentVarsPatch: { GONE: null, NEVER: null } }),
      ...names.map((name) => update(id, { environmentVarsPatch: { [name]: name } })),
    ]);
    const expected = { KEPT: 'x', ...Object.fromEntries(names.map((name) => [name, name])) };
    expect((await get(id)).environment_vars).toEqual(expected);
    const both = await update(id, { environmentVars: {}, environmentVarsPatch: {} });
    expect(both).toMatchObject({ status: 400, body: { code: 'VA001' } });
  });

  it('null goes back to what the application has', async () => {
    const set = { buildCommand: 'a', outputDirectory: 'b', containerPort: 1, memory: '1Gi', cpu: '1' };
    const id = await createPreview('Reset', { ...set, customDomain: 'a.example.com' });
    await update(id, { region: 'local' });
    const nulls = Object.fromEntries([...Object.keys(set), 'region', 'customDomain'].map((field) => [field, null]));
    const { body } = await update(id, nulls);
    expect(body).toMatchObject({
      build_command: null,
      output_directory: null,
      container_port: null,
      memory: null,
      cpu: null,
      region: null,
      custom_domain: null,
    });
    expect((await world.actionsOf(id)).slice(-2)).toEqual(['environment_updated', 'custom_domain_removed']);
  });

  it('leaves no trace when everything is so already', async () => {
    const id = await createPreview('Same', { environmentVars: { A: '1', B: '2' } });
    const before = await get(id);
    const same = {
      name: 'preview',
      environmentVars: { B: '2', A: '1' },
      minInstances: 0,
      autoDeploy: false,
      memory: null,
    };
    expect((await update(id, same)).status).toBe(200);
    expect((await update(id, {})).status).toBe(200);
    expect(await get(id)).toEqual(before);
    expect(await world.actionsOf(id)).toEqual(['environment_created']);
  });

  it('renaming changes the address at once', async () => {
    const id = await createPreview('Named');
    const { body } = await update(id, { name: ' Staging ' });
    expect(body).toMatchObject({ name: 'Staging', url: 'http://named-staging.localhost:7080' });
    expect(await world.routeOf(id)).toEqual({ subdomain: 'named-staging', target: null });
    expect((await update(id, { name: 'STAGING' })).body).toMatchObject({ name: 'STAGING', url: body.url });
    expect(await world.actionsOf(id)).toEqual(['environment_created', 'environment_renamed', 'environment_renamed']);
  });

  it("renaming production leaves its address, which is the application's", async () => {
    const application = await world.create('Prod');
    const { id } = await world.productionOf(application);
    const { body } = await update(id, { name: 'live' });
    expect(body).toMatchObject({ name: 'live', is_production: true, url: 'http://prod.localhost:7080' });
  });

  it('409 for the name of another environment of the application', async () => {
    const id = await createPreview('Clash');
    expect(await update(id, { name: 'Production' })).toMatchObject({ status: 409, body: { code: 'CF001' } });
    expect((await get(id)).name).toBe('preview');
  });

  it('lowers to the plan only what is said now', async () => {
    const owner = await createOwner(world.api, { plan: 'enterprise' });
    const application = await world.create('Shrunk', { maxInstances: 50, minInstances: 2 }, owner);
    const { id } = await world.productionOf(application);
    const { db } = world.api.store;
    await db.updateTable('organisations').set({ plan: 'free' }).where('id', '=', owner.organisationId).execute();
    const change = async (body: object) =>
      (await world.call('/api/environments/update', { environmentId: id, ...body }, owner)).body;
    expect(await change({ autoDeploy: true })).toMatchObject({ max_instances: 50 });
    expect(await change({ minInstances: 1 })).toMatchObject({ min_instances: 1, max_instances: 3 });
    expect(await change({ minInstances: 4 })).toMatchObject({ code: 'VA001' });
  });

  it.each([
    [{ minInstances: 5, maxInstances: 1 }, 'minInstances'],
    [{ memory: '32Gi' }, 'cpu'],
    [{ memory: 'lots' }, 'memory'],
    [{ cpu: '6' }, 'cpu'],
    [{ region: 'moon' }, 'region'],
    [{ outputDirectory: 'a/..' }, 'outputDirectory'],
    [{ customDomain: 'x.localhost' }, 'customDomain'],
    [{ environmentVars: { A: true } }, 'environmentVars'],
    [{ environmentVars: null }, 'environmentVars'],
    [{ minInstances: '1' }, 'minInstances'],
    [{ name: '' }, 'name'],
  ])('400 VA001 for %o, and nothing changes', async (body, field) => {
    const id = await createPreview('Refuses', { cpu: '0.5' });
    const before = await get(id);
    const refused = await update(id, { autoDeploy: true, ...body });
    expect(refused).toMatchObject({ status: 400, body: { code: 'VA001' } });
    expect(refused.body.message).toContain(field);
    expect(await get(id)).toEqual(before);
  });
});

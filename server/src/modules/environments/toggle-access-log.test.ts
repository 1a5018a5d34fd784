import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findRoute, forgetEdge, reportEdge } from '../../routing/route-store.ts';
import { eventually } from '../../testing/eventually.ts';
import { openProjectWorld, type ProjectWorld } from '../applications/testing/project-world.ts';

let world: ProjectWorld;
beforeAll(async () => {
  world = await openProjectWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const toggle = (environmentId: string, enabled: boolean) =>
  world.call('/api/environments/access-log', { environmentId, enabled });
const productionOf = async (name: string) => (await world.productionOf(await world.create(name))).id;
const routeOf = async (environmentId: string) => (await findRoute(world.api.store.db, environmentId))!;

describe('POST /api/environments/access-log', () => {
  it('is off until it is switched on; the edges are told, and everybody sees it', async () => {
    const id = await productionOf('Watched');
    const before = await routeOf(id);
    expect(before.accessLog).toBe(false);
    const shown = async () => (await world.call('/api/environments/get', { environmentId: id })).body.access_log;
    expect(await shown()).toBe(false);
    const answer = await toggle(id, true);
    expect(answer).toMatchObject({ status: 200, body: { id, access_log: true } });
    expect(Object.keys(answer.body)).toEqual(['id', 'access_log']);
    expect(await routeOf(id)).toEqual({ ...before, accessLog: true, version: expect.any(Number) });
    expect(await shown()).toBe(true);
    expect((await toggle(id, false)).body).toEqual({ id, access_log: false });
    expect((await routeOf(id)).accessLog).toBe(false);
    expect((await world.actionsOf(id)).slice(1)).toEqual(['access_log_enabled', 'access_log_disabled']);
  });

  it('publishes nothing and tells nobody when it is so already', async () => {
    const id = await productionOf('Same');
    await toggle(id, true);
    const { version } = await routeOf(id);
    expect((await toggle(id, true)).status).toBe(200);
    expect((await routeOf(id)).version).toBe(version);
    expect((await world.actionsOf(id)).slice(1)).toEqual(['access_log_enabled']);
  });

  it('stays as it is when the environment is renamed or gets a password', async () => {
    const { id: applicationId } = await world.create('Stays');
    const created = await world.call('/api/environments/create', { applicationId, name: 'a', vcsBranch: 'next' });
    const environmentId = created.body.id as string;
    await toggle(environmentId, true);
    await world.call('/api/environments/update', { environmentId, name: 'b' });
    await world.call('/api/environments/password', { environmentId, enabled: true, password: 'x' });
    expect(await routeOf(environmentId)).toMatchObject({ subdomain: 'stays-b', accessLog: true });
  });

  it('answers when the edges have followed', async () => {
    const { db } = world.api.store;
    const id = await productionOf('Followed');
    const { version: before } = await routeOf(id);
    await reportEdge(db, 'slow edge', before);
    let isAnswered = false;
    const answered = toggle(id, true).then(() => (isAnswered = true));
    await eventually('it is published', async () => (await routeOf(id)).accessLog);
    expect(isAnswered).toBe(false);
    await reportEdge(db, 'slow edge', (await routeOf(id)).version);
    await answered;
    await forgetEdge(db, 'slow edge');
  });

  it('409 while it is being deleted', async () => {
    const { id: applicationId } = await world.create('Going');
    const created = await world.call('/api/environments/create', { applicationId, name: 'a', vcsBranch: 'next' });
    await world.call('/api/environments/delete', { environmentId: created.body.id });
    expect(await toggle(created.body.id, true)).toMatchObject({ status: 409, body: { code: 'CF001' } });
  });
});

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FLEET_CHANNEL } from '../../routing/fleet-signal-store.ts';
import { createOwner } from '../../testing/factories.ts';
import { eventually } from '../../testing/eventually.ts';
import { openProjectWorld, type ProjectWorld } from '../applications/testing/project-world.ts';

let world: ProjectWorld;
beforeAll(async () => {
  world = await openProjectWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const scale = (environmentId: string, bounds: object) =>
  world.call('/api/environments/scale', { environmentId, ...bounds });

const productionOf = async (name: string, settings: object = {}, who = world.owner) =>
  (await world.productionOf(await world.create(name, settings, who))).id;

/** What whoever keeps the instances is told while the work is done. */
async function wakeUps(work: () => Promise<unknown>): Promise<string[]> {
  const client = new pg.Client({ connectionString: world.api.store.url });
  await client.connect();
  const heard: string[] = [];
  client.on('notification', ({ payload = '' }) => heard.push(payload));
  await client.query(`listen ${FLEET_CHANNEL}`);
  await work();
  // Notifications come in the order of their commits: after this one, every earlier one is here.
  await world.api.store.pool.query(`select pg_notify('${FLEET_CHANNEL}', 'last')`);
  await eventually('the last notification has come', () => heard.includes('last'));
  await client.end();
  return heard.slice(0, -1);
}

describe('POST /api/environments/scale', () => {
  it('200: sets what is given, keeps what is not, builds nothing, and wakes the fleet', async () => {
    const id = await productionOf('Scaled', { deploymentType: 'container', minInstances: 1, maxInstances: 4 });
    const woken = await wakeUps(async () => {
      expect(await scale(id, { maxInstances: 8 })).toMatchObject({ status: 200 });
      const answer = await scale(id, { minInstances: 2 });
      expect(answer.body).toEqual({ id, min_instances: 2, max_instances: 8 });
    });
    expect(woken).toEqual([id, id]);
    expect(await world.actionsOf(id)).toEqual(['application_created', 'scaling_updated', 'scaling_updated']);
    expect((await world.call('/api/deployments', { environmentId: id })).body).toHaveLength(1);
  });

  it('what is so already leaves no trace and wakes nobody', async () => {
    const id = await productionOf('Same', { minInstances: 1, maxInstances: 4 });
    const before = await world.actionsOf(id);
    const woken = await wakeUps(() => scale(id, { minInstances: 1, maxInstances: 4 }));
    expect(woken).toEqual([]);
    expect(await world.actionsOf(id)).toEqual(before);
  });

  it("more than the plan's cap is lowered to it", async () => {
    const poor = await createOwner(world.api, { plan: 'free' });
    const environmentId = await productionOf('Capped', {}, poor);
    const { body } = await world.call('/api/environments/scale', { environmentId, maxInstances: 100 }, poor);
    expect(body.max_instances).toBe(3);
  });

  it('400 with neither, with a range that is none, or out of bounds', async () => {
    const id = await productionOf('Refused', { minInstances: 2, maxInstances: 4 });
    const neither = await scale(id, {});
    expect(neither).toMatchObject({ status: 400, body: { code: 'VA001' } });
    expect(neither.body.message).toBe('Give minInstances, maxInstances or both.');
    const wrong = [{ maxInstances: 1 }, { minInstances: 5 }, { minInstances: 6 }, { minInstances: -1 }];
    for (const bounds of [...wrong, { maxInstances: 101 }, { maxInstances: 0 }, { minInstances: 0.5 }]) {
      expect([bounds, (await scale(id, bounds)).status]).toEqual([bounds, 400]);
    }
    expect((await scale(id, { minInstances: 5 })).body.message).toContain('minInstances (5)');
    const { body } = await world.call('/api/environments/get', { environmentId: id });
    expect(body).toMatchObject({ min_instances: 2, max_instances: 4 });
  });

  it('409 while it is being deleted', async () => {
    const application = await world.create('Going');
    const { id } = await world.productionOf(application);
    await world.call('/api/applications/delete', { applicationId: application.id });
    expect(await scale(id, { minInstances: 1 })).toMatchObject({ status: 409, body: { code: 'CF001' } });
  });
});

describe('POST /api/environments/update', () => {
  it('wakes the fleet when it changes the range, and only then', async () => {
    const environmentId = await productionOf('Updated', { minInstances: 0, maxInstances: 4 });
    const update = (change: object) => world.call('/api/environments/update', { environmentId, ...change });
    expect(await wakeUps(() => update({ minInstances: 1 }))).toEqual([environmentId]);
    expect(await wakeUps(() => update({ memory: '1Gi', environmentVars: { A: 'b' } }))).toEqual([]);
  });
});

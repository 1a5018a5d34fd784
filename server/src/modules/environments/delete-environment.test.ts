import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTearDownWorld, type TearDownWorld } from './testing/tear-down-world.ts';

let world: TearDownWorld;
beforeAll(async () => {
  world = await openTearDownWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

describe('POST /api/environments/delete', () => {
  it('stops its address at once, and shows it as being deleted until it is gone', async () => {
    const { id: applicationId } = await world.create('Delete one');
    const { id: environmentId } = await world.createPreview(applicationId);
    await world.call('/api/environments/deploy', { environmentId });
    const { status, body } = await world.remove('environments', { environmentId });
    expect({ status, body }).toEqual({ status: 200, body: { message: expect.stringMatching(/being deleted/) } });
    expect(await world.routeOf(environmentId)).toEqual({ subdomain: null, target: null });
    expect((await world.call('/api/environments/status', { environmentId })).body.status).toBe('deleting');
    const { rows } = await world.api.store.pool.query<{ status: string }>(
      'select d.status from deployments d left join jobs j on j.id = d.job_id where environment_id = $1',
      [environmentId],
    );
    expect(rows).toEqual([{ status: 'cancelled' }]);
    expect(await world.actionsOf(environmentId)).toContain('environment_deleted');
    // Asked for again, it answers the same and changes nothing.
    expect((await world.remove('environments', { environmentId })).body).toEqual(body);
    expect((await world.actionsOf(environmentId)).filter((action) => action === 'environment_deleted')).toHaveLength(1);
    await world.tearDown(environmentId);
    expect(await world.statusOf(environmentId)).toBe(404);
    expect((await world.call('/api/applications/status', { applicationId })).status).toBe(200);
  });

  it('409 for production, which goes only with its application', async () => {
    const production = await world.productionOf(await world.create('Kept'));
    expect(await world.remove('environments', { environmentId: production.id })).toEqual(
      expect.objectContaining({
        status: 409,
        body: {
          code: 'CF001',
          message: 'The production environment can only be removed together with its application.',
        },
      }),
    );
    expect((await world.routeOf(production.id))?.subdomain).toBe('kept');
  });

  it('409 for any change while it is being deleted; reading goes on', async () => {
    const { id: applicationId } = await world.create('No changes');
    const { id: environmentId } = await world.createPreview(applicationId);
    await world.remove('environments', { environmentId });
    const changes = [
      world.call('/api/environments/update', { environmentId, autoDeploy: true }),
      world.call('/api/environments/deploy', { environmentId }),
      world.call('/api/applications/deploy', { applicationId, environmentId }),
      world.call('/api/environments/create', { applicationId, name: 'Preview', vcsBranch: 'next' }),
    ];
    for (const change of changes) expect(await change).toMatchObject({ status: 409, body: { code: 'CF001' } });
    for (const path of ['get', 'status', 'activity']) {
      expect((await world.call(`/api/environments/${path}`, { environmentId })).status).toBe(200);
    }
  });

  it('frees its address at once', async () => {
    const { id: applicationId } = await world.create('Again');
    const { id: environmentId, subdomain } = await world.createPreview(applicationId);
    await world.remove('environments', { environmentId });
    expect((await world.create('Again preview')).slug).toBe(subdomain);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTearDownWorld, type TearDownWorld } from '../environments/testing/tear-down-world.ts';

let world: TearDownWorld;
beforeAll(async () => {
  world = await openTearDownWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

async function totalApplications(): Promise<number> {
  return (await world.call('/api/applications')).body.totalItems as number;
}

describe('POST /api/applications/delete', () => {
  it('is shown as deleting until its last environment is gone, and then counted no more', async () => {
    const before = await totalApplications();
    const application = await world.create('Whole');
    const production = await world.productionOf(application);
    const preview = await world.createPreview(application.id);
    const { status, body } = await world.remove('applications', { applicationId: application.id });
    expect({ status, body }).toEqual({ status: 200, body: { message: expect.stringMatching(/being deleted/) } });
    const shown = await world.call('/api/applications/get', { applicationId: application.id });
    expect(shown.body.status).toBe('deleting');
    for (const { id } of [production, preview]) {
      expect(await world.routeOf(id)).toEqual({ subdomain: null, target: null });
    }
    // Who creates it anew has its address at once.
    expect((await world.create('Whole')).slug).toBe('whole');
    await world.tearDown(production.id);
    expect((await world.call('/api/applications/status', { applicationId: application.id })).body.status).toBe(
      'deleting',
    );
    expect((await world.remove('applications', { applicationId: application.id })).status).toBe(200);
    await world.tearDown(preview.id);
    expect((await world.call('/api/applications/status', { applicationId: application.id })).status).toBe(404);
    expect(await totalApplications()).toBe(before + 1);
  });

  it('409 for any change while it is being deleted', async () => {
    const { id: applicationId } = await world.create('Going');
    await world.remove('applications', { applicationId });
    const changes = [
      world.call('/api/applications/rename', { applicationId, name: 'Coming' }),
      world.call('/api/applications/move', { applicationId, targetFolderId: null }),
      world.call('/api/applications/deploy', { applicationId }),
      world.call('/api/environments/create', { applicationId, name: 'x', vcsBranch: 'next' }),
    ];
    for (const change of changes) expect(await change).toMatchObject({ status: 409, body: { code: 'CF001' } });
  });

  it('leaves nothing, however it races with environments that are created and renamed', async () => {
    for (let round = 0; round < 5; round++) {
      const { id: applicationId } = await world.create(`Round ${round}`);
      const preview = await world.createPreview(applicationId);
      const answers = await Promise.all([
        world.call('/api/environments/create', { applicationId, name: 'late', vcsBranch: 'next' }),
        world.remove('applications', { applicationId }),
        world.call('/api/environments/update', { environmentId: preview.id, name: 'renamed' }),
        world.call('/api/environments/deploy', { environmentId: preview.id }),
        world.remove('environments', { environmentId: preview.id }),
      ]);
      for (const { status } of answers) expect([200, 201, 409]).toContain(status);
      const { db } = world.api.store;
      const all = await db.selectFrom('environments').selectAll().where('application_id', '=', applicationId).execute();
      expect(all.map(({ status }) => status)).toEqual(all.map(() => 'deleting'));
      await Promise.all(all.map(({ id }) => world.tearDown(id)));
      expect((await world.call('/api/applications/status', { applicationId })).status).toBe(404);
    }
  });
});

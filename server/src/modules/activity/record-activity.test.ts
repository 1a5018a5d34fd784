import { describe, expect, it } from 'vitest';
import { createApiKey, createOwner } from '../../testing/factories.ts';
import { createTestStore } from '../../testing/test-store.ts';
import { listActivityOf } from './activity-store.ts';
import { presentActivity } from './present.ts';
import { recordActivity, type Deed } from './record-activity.ts';
import { createAccessTokens } from '../accounts/access-token.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';

async function open() {
  const store = await createTestStore();
  const clock = createFakeClock();
  const accessTokens = createAccessTokens({ signingKey: Buffer.alloc(32), clock });
  const owner = await createOwner({ store, clock, accessTokens });
  const record = (deeds: readonly Pick<Deed, 'action' | 'caller'>[]) =>
    store.db.transaction().execute(async (tx) => {
      for (const deed of deeds) {
        await recordActivity(tx, { ...deed, organisationId: owner.organisationId, environmentId: 'env_1' });
      }
    });
  const list = (range = { limit: 20, offset: 0 }) => listActivityOf(store.db, 'env_1', range);
  return { store, owner, record, list, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}

describe('the activity of an environment', () => {
  it("names a person by email, a key by its name, and the platform's own by what they are", async () => {
    await using world = await open();
    const { keyId } = await createApiKey(world, world.owner);
    await world.record([
      { action: 'environment_created', caller: { kind: 'session', ...world.owner } },
      { action: 'environment_vars_updated', caller: { kind: 'key', keyId } },
      { action: 'environment_deleted', caller: 'platform' },
    ]);
    const shown = (await world.list()).map(presentActivity);
    expect(shown.map(({ action, actor_email }) => [action, actor_email])).toEqual([
      ['environment_deleted', 'platform'],
      ['environment_vars_updated', 'API key A test key'],
      ['environment_created', world.owner.email],
    ]);
    expect(shown[0]).toEqual({
      id: expect.stringMatching(/^act_/),
      action: 'environment_deleted',
      actor_email: 'platform',
      deployment_id: null,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
  });

  it('is newest first, in pages, though all was done in one transaction', async () => {
    await using world = await open();
    const caller = { kind: 'session', ...world.owner } as const;
    const done = ['environment_created', 'environment_updated', 'scaling_updated', 'environment_renamed'] as const;
    await world.record(done.map((action) => ({ action, caller })));
    const actions = async (range: { limit: number; offset: number }) =>
      (await world.list(range)).map((row) => row.action);
    expect(await actions({ limit: 3, offset: 0 })).toEqual(done.toReversed().slice(0, 3));
    expect(await actions({ limit: 3, offset: 3 })).toEqual(done.slice(0, 1));
  });

  it('is not there when what it tells of did not happen', async () => {
    await using world = await open();
    const failing = world.store.db.transaction().execute(async (tx) => {
      const { organisationId } = world.owner;
      await recordActivity(tx, {
        organisationId,
        environmentId: 'env_1',
        action: 'environment_updated',
        caller: 'operator',
      });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await world.list()).toEqual([]);
  });
});

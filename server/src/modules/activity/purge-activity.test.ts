import { expect, it } from 'vitest';
import { newId } from '../../lib/ids.ts';
import { createOwner } from '../../testing/factories.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { createTestStore } from '../../testing/test-store.ts';
import { createAccessTokens } from '../accounts/access-token.ts';
import { purgeActivity } from './purge-activity.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

it('forgets what is older than 90 days, and of what is done all the time all but the newest: 1,000 in an environment, 10,000 beside them', async () => {
  await using store = await createTestStore();
  const clock = createFakeClock();
  const accessTokens = createAccessTokens({ signingKey: Buffer.alloc(32), clock });
  const { organisationId } = await createOwner({ store, clock, accessTokens });
  await store.db.deleteFrom('activity_entries').execute();
  const add = (environmentId: string | null, ageMs: number, count = 1, action = 'scaling_updated') =>
    store.db
      .insertInto('activity_entries')
      .values(
        Array.from({ length: count }, (_, index) => ({
          id: newId('act'),
          organisation_id: organisationId,
          environment_id: environmentId,
          action,
          actor_email: `${environmentId} ${index}`,
          created_at: new Date(clock.now().getTime() - ageMs + index),
        })),
      )
      .execute();
  await add('busy', DAY_MS, 1005);
  await add('busy', 2 * DAY_MS, 1, 'environment_vars_updated');
  await add('calm', DAY_MS, 1000);
  await add('old', 91 * DAY_MS);
  await add('old', 89 * DAY_MS);
  await add(null, 91 * DAY_MS);
  await add(null, 89 * DAY_MS);
  await purgeActivity(store, clock);
  const rows = await store.db.selectFrom('activity_entries').selectAll().orderBy('created_at').execute();
  const of = (environmentId: string | null) => rows.filter((row) => row.environment_id === environmentId);
  const [variables, ...scaling] = of('busy');
  expect(variables).toMatchObject({ action: 'environment_vars_updated' });
  expect(scaling.map((row) => row.actor_email)).toEqual(Array.from({ length: 1000 }, (_, i) => `busy ${i + 5}`));
  expect([of('calm'), of('old'), of(null)].map(({ length }) => length)).toEqual([1000, 1, 1]);
  await add(null, DAY_MS, 5000);
  await add(null, DAY_MS / 2, 5003);
  await purgeActivity(store, clock);
  const left = await store.db
    .selectFrom('activity_entries')
    .select('actor_email')
    .where('environment_id', 'is', null)
    .orderBy('created_at')
    .execute();
  expect([left.length, left[0]!.actor_email]).toEqual([10_000, 'null 3']);
});

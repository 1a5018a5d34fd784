import { expect, it } from 'vitest';
import { createOwner } from '../../../testing/factories.ts';
import { createFakeClock } from '../../../testing/fake-clock.ts';
import { createTestStore } from '../../../testing/test-store.ts';
import { createAccessTokens } from '../../accounts/access-token.ts';
import { purge } from './purge.ts';

const HOUR_MS = 60 * 60 * 1000;

it('forgets deliveries after a fortnight, and attempts a day after they could have gone on', async () => {
  await using store = await createTestStore();
  const clock = createFakeClock();
  const accessTokens = createAccessTokens({ signingKey: Buffer.alloc(32), clock });
  const { organisationId, userId } = await createOwner({ store, clock, accessTokens });
  const ago = (hours: number) => new Date(clock.now().getTime() - hours * HOUR_MS);
  const deliveries = [13 * 24, 15 * 24].map((hours) => ({
    provider: 'provider1' as const,
    delivery_id: `${hours}`,
    event: 'push',
    events: '[]',
    received_at: ago(hours),
  }));
  const attempts = [-1, 23, 25].map((hours) => ({
    id: `${hours}`,
    organisation_id: organisationId,
    user_id: userId,
    provider: 'provider1' as const,
    expires_at: ago(hours),
  }));
  await store.db.insertInto('vcs_deliveries').values(deliveries).execute();
  await store.db.insertInto('vcs_attempts').values(attempts).execute();
  await purge({ store, clock });
  expect(await store.db.selectFrom('vcs_deliveries').select('delivery_id').execute()).toEqual([{ delivery_id: '312' }]);
  const left = await store.db.selectFrom('vcs_attempts').select('id').orderBy('id').execute();
  expect(left.map(({ id }) => id)).toEqual(['-1', '23']);
});

import { expect, it } from 'vitest';
import { createUser } from '../../testing/factories.ts';
import { startApi, type TestApi } from '../../testing/harness.ts';
import { purgeExpired } from './purge-expired.ts';
import { SESSION_MS } from './session.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const tables = ['sessions', 'refresh_tokens', 'mfa_challenges', 'device_authorizations', 'attempt_counters'] as const;

async function countRows(api: TestApi): Promise<number[]> {
  const counts = tables.map(async (table) => (await api.store.db.selectFrom(table).selectAll().execute()).length);
  return await Promise.all(counts);
}

it('what can no longer be used is deleted, what can be is kept', async () => {
  await using api = await startApi();
  const { userId, refreshToken } = await createUser(api);
  const leaving = await createUser(api);
  await api.call('/api/auth/logout', { body: { refreshToken: leaving.refreshToken } });
  await api.call('/api/auth/login', { body: { email: 'a@example.org', password: 'plain' } });
  await api.call('/api/auth/device/code', { body: { client_id: 'cli' } });
  await api.store.db
    .insertInto('mfa_challenges')
    .values({ token_hash: Buffer.from('x'), user_id: userId, expires_at: new Date(api.clock.now().getTime() + 60_000) })
    .execute();

  await purgeExpired(api.store, api.clock);
  expect(await countRows(api)).toEqual([2, 2, 1, 1, 2]);

  api.clock.advance(HOUR_MS);
  await purgeExpired(api.store, api.clock);
  expect(await countRows(api), 'what lives for minutes').toEqual([2, 2, 0, 1, 0]);

  api.clock.advance(DAY_MS - HOUR_MS);
  await purgeExpired(api.store, api.clock);
  expect(await countRows(api), 'the revoked session').toEqual([1, 1, 0, 0, 0]);

  const next = await api.call('/api/auth/refresh', { body: { refreshToken } });
  expect(next.status).toBe(200);
  api.clock.advance(SESSION_MS - DAY_MS);
  await purgeExpired(api.store, api.clock);
  expect(await countRows(api), 'the first token has expired, the session lives').toEqual([1, 1, 0, 0, 0]);

  api.clock.advance(DAY_MS);
  await purgeExpired(api.store, api.clock);
  expect(await countRows(api)).toEqual([0, 0, 0, 0, 0]);
});

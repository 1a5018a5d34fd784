import { describe, expect, it, vi } from 'vitest';
import { createApiKey, createMember } from '../testing/factories.ts';
import { eventually } from '../testing/eventually.ts';
import { startStreaming } from '../testing/start-streaming.ts';

type Streaming = Awaited<ReturnType<typeof startStreaming>>;

/** A stream is open, something happens, and that was it. Nobody else is concerned. */
async function expectEnd(api: Streaming, token: string, happen: () => Promise<unknown>): Promise<void> {
  using others = await api.open();
  using stream = await api.open({ token });
  expect([others.status, stream.status]).toEqual([200, 200]);
  await happen();
  await stream.ended();
  using again = await api.open({ token });
  expect(again.status).toBeGreaterThanOrEqual(401);
  expect(others.isOver()).toBe(false);
}

describe('whoever may no longer read', () => {
  const hurried = { streamTimes: { readmitMs: 20 } };

  it('is told nothing more: the key revoked, or expired', async () => {
    expect.hasAssertions();
    await using api = await startStreaming(hurried);
    const { organisationId, store, clock } = api;
    const { secret, keyId } = await createApiKey(api, { organisationId });
    await expectEnd(api, secret, () =>
      store.db.updateTable('api_keys').set({ revoked_at: clock.now() }).where('id', '=', keyId).execute(),
    );
    const expiresAt = new Date(clock.now().getTime() + 1000);
    const expiring = await createApiKey(api, { organisationId, expiresAt });
    await expectEnd(api, expiring.secret, async () => clock.advance(2000));
  });

  it('is told nothing more: the member gone, the session ended', async () => {
    expect.hasAssertions();
    await using api = await startStreaming(hurried);
    const { organisationId, store, clock } = api;
    const member = await createMember(api, { organisationId, role: 'user' });
    await expectEnd(api, member.token, () =>
      store.db.deleteFrom('memberships').where('user_id', '=', member.userId).execute(),
    );
    const other = await createMember(api, { organisationId, role: 'user' });
    await expectEnd(api, other.token, () =>
      store.db.updateTable('sessions').set({ revoked_at: clock.now() }).where('id', '=', other.sessionId).execute(),
    );
  });

  it('is told nothing more: a key on a plan that has none', async () => {
    expect.hasAssertions();
    await using api = await startStreaming(hurried);
    const { organisationId, store } = api;
    const { secret } = await createApiKey(api, { organisationId });
    await expectEnd(api, secret, () =>
      store.db.updateTable('organisations').set({ plan: 'free' }).where('id', '=', organisationId).execute(),
    );
  });

  it('is told nothing more of an environment that is gone', async () => {
    await using api = await startStreaming(hurried);
    using stream = await api.open();
    await api.store.db.deleteFrom('environments').where('id', '=', api.environment.id).execute();
    await stream.ended();
    expect(stream.text().endsWith('\n\n')).toBe(true);
  });

  it('stays while the store is away for a moment', async () => {
    await using api = await startStreaming({ streamTimes: { readmitMs: 100 } });
    using stream = await api.open();
    const { pool } = api.store;
    const gone = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
    const failing = vi.spyOn(pool, 'query').mockRejectedValue(gone);
    await eventually('it was asked in vain', () => failing.mock.calls.length >= 2);
    failing.mockRestore();
    const answering = vi.spyOn(pool, 'query');
    await eventually('it was asked again', () => answering.mock.calls.length >= 3);
    expect(stream.isOver()).toBe(false);
  });
});

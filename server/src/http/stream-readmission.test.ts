import { describe, expect, it } from 'vitest';
import { createApiKey, createMember } from '../testing/factories.ts';
import { eventually } from '../testing/eventually.ts';
import { startStreaming } from '../testing/start-streaming.ts';

describe('whoever may no longer read', () => {
  const hurried = { streamTimes: { readmitMs: 20 } };

  it('is told nothing more: the key revoked or expired, the member gone, the session ended, the plan changed', async () => {
    await using api = await startStreaming(hurried);
    const { organisationId, store, clock } = api;
    const { db } = store;
    const makeKey = () => createApiKey(api, { organisationId });
    const ends: [string, () => Promise<{ token: string; end: () => Promise<unknown> }>][] = [
      [
        'revoked',
        async () => {
          const { secret, keyId } = await makeKey();
          const end = () =>
            db.updateTable('api_keys').set({ revoked_at: clock.now() }).where('id', '=', keyId).execute();
          return { token: secret, end };
        },
      ],
      [
        'expired',
        async () => {
          const { secret } = await createApiKey(api, {
            organisationId,
            expiresAt: new Date(clock.now().getTime() + 1000),
          });
          return { token: secret, end: () => Promise.resolve(clock.advance(2000)) };
        },
      ],
      [
        'gone',
        async () => {
          const { token, userId } = await createMember(api, { organisationId, role: 'user' });
          return { token, end: () => db.deleteFrom('memberships').where('user_id', '=', userId).execute() };
        },
      ],
      [
        'signed out',
        async () => {
          const { token, sessionId } = await createMember(api, { organisationId, role: 'user' });
          const end = () =>
            db.updateTable('sessions').set({ revoked_at: clock.now() }).where('id', '=', sessionId).execute();
          return { token, end };
        },
      ],
      [
        'not paid',
        async () => {
          const end = () =>
            db.updateTable('organisations').set({ plan: 'free' }).where('id', '=', organisationId).execute();
          return { token: (await makeKey()).secret, end };
        },
      ],
    ];
    using owner = await api.open();
    for (const [how, prepare] of ends) {
      const { token, end } = await prepare();
      using stream = await api.open({ token });
      expect([how, stream.status]).toEqual([how, 200]);
      await end();
      await stream.ended();
      using again = await api.open({ token });
      expect(again.status).toBeGreaterThan(400);
    }
    expect(owner.isOver()).toBe(false);
  });

  it('is told nothing more of an environment that is gone', async () => {
    await using api = await startStreaming(hurried);
    using stream = await api.open();
    await api.store.db.deleteFrom('environments').where('id', '=', api.environment.id).execute();
    await stream.ended();
  });

  it('stays while the store is away for a moment', async () => {
    await using api = await startStreaming({ streamTimes: { readmitMs: 100 } });
    using stream = await api.open();
    const { pool } = api.store;
    const { query } = pool;
    let failed = 0;
    pool.query = (() => {
      failed++;
      return Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }));
    }) as unknown as typeof query;
    await eventually('it was asked in vain', () => failed >= 2);
    let answered = 0;
    pool.query = ((...question: Parameters<typeof query>) => {
      answered++;
      return query.apply(pool, question);
    }) as unknown as typeof query;
    await eventually('it was asked again', () => answered >= 3);
    expect(stream.isOver()).toBe(false);
  });
});

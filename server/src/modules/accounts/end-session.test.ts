import { describe, expect, it } from 'vitest';
import { createUser } from '../../testing/factories.ts';
import { startApi, type TestApi } from '../../testing/harness.ts';
import { createSession } from './create-session.ts';
import { SESSION_MS } from './session.ts';

const refresh = (api: TestApi, refreshToken: string) => api.call('/api/auth/refresh', { body: { refreshToken } });

describe('POST /api/auth/sessions', () => {
  it('lists the live devices of the caller, the last used first, and marks the one that asks', async () => {
    await using api = await startApi();
    const user = await createUser(api);
    await createUser(api);
    api.clock.advance(1000);
    const other = await createSession(api, {
      userId: user.userId,
      kind: 'browser',
      device: 'Firefox on Linux',
      address: '192.0.2.1',
    });
    const answer = await api.call('/api/auth/sessions', { token: user.token, body: {} });
    expect(answer.body).toEqual([
      {
        id: other.sessionId,
        kind: 'browser',
        device: 'Firefox on Linux',
        address: '192.0.2.1',
        current: false,
        created_at: api.clock.now().toISOString(),
        last_used_at: api.clock.now().toISOString(),
        expires_at: new Date(api.clock.now().getTime() + SESSION_MS).toISOString(),
      },
      expect.objectContaining({ id: user.sessionId, kind: 'cli', current: true }),
    ]);
    api.clock.advance(1000);
    await refresh(api, user.refreshToken);
    const reordered = await api.call('/api/auth/sessions', { token: user.token, method: 'POST' });
    expect(reordered.body.map((session: { id: string }) => session.id)).toEqual([user.sessionId, other.sessionId]);
    expect(reordered.body[0]).toMatchObject({ address: '127.0.0.1', last_used_at: api.clock.now().toISOString() });
  });
});

describe('POST /api/auth/sessions/revoke', () => {
  it('signs the device out and takes it off the list', async () => {
    await using api = await startApi();
    const user = await createUser(api);
    const other = await createSession(api, { userId: user.userId, kind: 'cli', device: 'x', address: null });
    const answer = await api.call('/api/auth/sessions/revoke', {
      token: user.token,
      body: { sessionId: other.sessionId },
    });
    expect(answer.body).toEqual({ revoked: true });
    expect((await refresh(api, other.refreshToken)).status).toBe(401);
    expect((await refresh(api, user.refreshToken)).status).toBe(200);
    const { body } = await api.call('/api/auth/sessions', { token: user.token, body: {} });
    expect(body.map((session: { id: string }) => session.id)).toEqual([user.sessionId]);
  });

  it("404 for somebody else's, which stays alive", async () => {
    await using api = await startApi();
    const [user, stranger] = [await createUser(api), await createUser(api)];
    for (const sessionId of [stranger.sessionId, 'ses_unknown']) {
      const answer = await api.call('/api/auth/sessions/revoke', { token: user.token, body: { sessionId } });
      expect([answer.status, answer.body.code]).toEqual([404, 'NF001']);
    }
    expect((await refresh(api, stranger.refreshToken)).status).toBe(200);
  });
});

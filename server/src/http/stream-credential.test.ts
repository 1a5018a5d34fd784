import { describe, expect, it } from 'vitest';
import { createSession } from '../modules/accounts/create-session.ts';
import { startStreaming } from '../testing/start-streaming.ts';

const codeOf = (text: string) => (JSON.parse(text) as { code: string }).code;

/** At the default port the name has none. */
const cookieOf = (token: string) => ({ host: 'localhost', cookie: `__Host-lc_rt=${token}` });

async function signedIn() {
  const api = await startStreaming();
  const { userId } = api.owner;
  const session = await createSession(api, { userId, kind: 'browser', device: 'x', address: null });
  const open = (headers: Record<string, string>) => api.open({ token: undefined, headers: { ...headers } });
  return { ...api, session, refreshToken: session.refreshToken, openWith: open };
}

describe('the cookie of a session, on a stream', () => {
  it('opens a stream and nothing else, and is not exchanged by that', async () => {
    await using api = await signedIn();
    for (let round = 0; round < 2; round++) {
      using stream = await api.openWith(cookieOf(api.refreshToken));
      expect(stream.status).toBe(200);
      expect(stream.headers).not.toHaveProperty('set-cookie');
    }
    const elsewhere = await api.call('/api/auth/profile', {
      headers: { ...cookieOf(api.refreshToken) },
    });
    expect(elsewhere.body).toMatchObject({ code: 'CA001' });
    const { usedAt } = await api.store.db
      .selectFrom('refresh_tokens')
      .select('used_at as usedAt')
      .where('session_id', '=', api.session.sessionId)
      .executeTakeFirstOrThrow();
    expect(usedAt).toBeNull();
  });

  it('opens none for a page of another origin, also one of a neighbour', async () => {
    await using api = await signedIn();
    for (const site of ['cross-site', 'same-site']) {
      using stream = await api.openWith({ ...cookieOf(api.refreshToken), 'sec-fetch-site': site });
      await stream.ended();
      expect([stream.status, codeOf(stream.text())]).toEqual([403, 'CA010']);
    }
    using own = await api.openWith({ ...cookieOf(api.refreshToken), 'sec-fetch-site': 'same-origin' });
    expect(own.status).toBe(200);
  });

  it('counts for a moment after it was exchanged, and no longer', async () => {
    await using api = await signedIn();
    const answer = await api.call('/api/auth/refresh', { body: { refreshToken: api.refreshToken } });
    expect(answer.status).toBe(200);
    using during = await api.openWith(cookieOf(api.refreshToken));
    expect(during.status).toBe(200);
    api.clock.advance(11_000);
    using after = await api.openWith(cookieOf(api.refreshToken));
    expect(after.status).toBe(401);
  });

  it('is worth nothing when it is made up, too old, or its session has ended', async () => {
    await using api = await signedIn();
    using invented = await api.openWith(cookieOf('invented'));
    expect(invented.status).toBe(401);
    api.clock.advance(31 * 24 * 3600 * 1000);
    using old = await api.openWith(cookieOf(api.refreshToken));
    expect(old.status).toBe(401);
    await using other = await signedIn();
    await other.store.db.updateTable('sessions').set({ revoked_at: other.clock.now() }).execute();
    using ended = await other.openWith(cookieOf(other.refreshToken));
    expect(ended.status).toBe(401);
  });
});

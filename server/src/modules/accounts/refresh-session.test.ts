import { describe, expect, it } from 'vitest';
import { createUser } from '../../testing/factories.ts';
import { startApi, type Answer, type TestApi } from '../../testing/harness.ts';
import { REFRESH_GRACE_MS, SESSION_MS } from './session.ts';

const cli = { 'x-client-type': 'cli' };

function refresh(api: TestApi, refreshToken: string, headers: Record<string, string> = {}): Promise<Answer> {
  return api.call('/api/auth/refresh', { body: { refreshToken }, headers: { ...cli, ...headers } });
}

describe('POST /api/auth/refresh', () => {
  it('exchanges a refresh token for a new pair, again and again', async () => {
    await using api = await startApi();
    const user = await createUser(api);
    const seen = new Set([user.refreshToken]);
    let { refreshToken } = user;
    for (let i = 0; i < 3; i++) {
      api.clock.advance(SESSION_MS / 2);
      const answer = await refresh(api, refreshToken);
      expect(answer.status).toBe(200);
      refreshToken = answer.body.refreshToken;
      seen.add(refreshToken);
      const profile = await api.call('/api/auth/profile', { token: answer.body.token });
      expect(profile.body.id).toBe(user.userId);
    }
    expect(seen.size).toBe(4);
  });

  it('401 when a token is used again after the grace, and the whole session is dead', async () => {
    await using api = await startApi();
    const { refreshToken } = await createUser(api);
    const next = await refresh(api, refreshToken);
    api.clock.advance(REFRESH_GRACE_MS + 1);
    const reused = await refresh(api, refreshToken);
    expect([reused.status, reused.body.code]).toEqual([401, 'CA002']);
    expect((await refresh(api, next.body.refreshToken)).status).toBe(401);
  });

  it('401 when a token is used again within the grace, and the session lives', async () => {
    await using api = await startApi();
    const { refreshToken } = await createUser(api);
    const next = await refresh(api, refreshToken);
    api.clock.advance(REFRESH_GRACE_MS);
    expect((await refresh(api, refreshToken)).status).toBe(401);
    expect((await refresh(api, next.body.refreshToken)).status).toBe(200);
  });

  it('of ten at once with one token exactly one wins, and its pair works', async () => {
    await using api = await startApi();
    const { refreshToken } = await createUser(api);
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(api, refreshToken)));
    const won = answers.filter((answer) => answer.status === 200);
    expect(won).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(9);
    expect((await refresh(api, won[0]!.body.refreshToken)).status).toBe(200);
  });

  it('a lost answer is answered again for the same Idempotency-Key, and the unseen pair is dead', async () => {
    await using api = await startApi();
    const { refreshToken } = await createUser(api);
    const key = { 'idempotency-key': 'call-1' };
    const lost = await refresh(api, refreshToken, key);
    expect((await refresh(api, refreshToken, { 'idempotency-key': 'call-2' })).status).toBe(401);
    const again = await refresh(api, refreshToken, key);
    expect(again.status).toBe(200);
    expect((await refresh(api, lost.body.refreshToken)).status).toBe(401);
    expect((await refresh(api, again.body.refreshToken)).status).toBe(200);
    expect((await refresh(api, refreshToken, key)).status, 'once the new pair is in use').toBe(401);
  });

  it('the same Idempotency-Key after the grace is a reuse like any other', async () => {
    await using api = await startApi();
    const { refreshToken } = await createUser(api);
    const key = { 'idempotency-key': 'call-1' };
    const next = await refresh(api, refreshToken, key);
    api.clock.advance(REFRESH_GRACE_MS + 1);
    expect((await refresh(api, refreshToken, key)).status).toBe(401);
    expect((await refresh(api, next.body.refreshToken)).status).toBe(401);
  });

  it('of many retries at once with one Idempotency-Key exactly one pair stays alive', async () => {
    await using api = await startApi();
    const { refreshToken } = await createUser(api);
    const retries = Array.from({ length: 8 }, () => refresh(api, refreshToken, { 'idempotency-key': 'call-1' }));
    const answers = (await Promise.all(retries)).filter((answer) => answer.status === 200);
    const used = await Promise.all(answers.map((answer) => refresh(api, answer.body.refreshToken)));
    expect(used.filter((answer) => answer.status === 200)).toHaveLength(1);
  });

  it('401 when the token is unknown, and after 30 days without use', async () => {
    await using api = await startApi();
    const { refreshToken } = await createUser(api);
    expect((await refresh(api, 'unknown')).body.code).toBe('CA002');
    api.clock.advance(SESSION_MS);
    expect((await refresh(api, refreshToken)).body.code).toBe('CA002');
  });

  it('401 when there is no token at all', async () => {
    await using api = await startApi();
    const answer = await api.call('/api/auth/refresh', { method: 'POST' });
    expect([answer.status, answer.body.code]).toEqual([401, 'CA001']);
  });

  it('without X-Client-Type: cli answers the access token only, and the refresh token as a cookie', async () => {
    await using api = await startApi();
    const { refreshToken } = await createUser(api);
    const answer = await api.call('/api/auth/refresh', { body: { refreshToken } });
    expect(Object.keys(answer.body)).toEqual(['token']);
    expect((await refresh(api, cookieOf(answer))).status).toBe(200);
  });

  it('takes X-Client-Type sent twice for once', async () => {
    await using api = await startApi();
    const { refreshToken } = await createUser(api);
    const answer = await refresh(api, refreshToken, { 'x-client-type': 'cli, cli' });
    expect(Object.keys(answer.body).toSorted()).toEqual(['refreshToken', 'token']);
  });

  it('takes the cookie of a browser, and never shows to a script what was in it', async () => {
    await using api = await startApi();
    const { refreshToken } = await createUser(api);
    const first = await api.call('/api/auth/refresh', { method: 'POST', headers: cookie(refreshToken) });
    expect(Object.keys(first.body)).toEqual(['token']);
    const second = await api.call('/api/auth/refresh', {
      method: 'POST',
      headers: { ...cookie(cookieOf(first)), ...cli },
    });
    expect(Object.keys(second.body)).toEqual(['token']);
    expect((await refresh(api, cookieOf(second))).status).toBe(200);
  });
});

describe('POST /api/auth/logout', () => {
  it('ends the session, clears the cookie, and leaves the access token until it expires', async () => {
    await using api = await startApi();
    const { token, refreshToken } = await createUser(api);
    const answer = await api.call('/api/auth/logout', {
      method: 'POST',
      headers: cookie(refreshToken),
    });
    expect(answer.status).toBe(200);
    expect(answer.body.message).toEqual(expect.any(String));
    expect(answer.headers['set-cookie']).toMatch(/^__Host-lc_rt=; Max-Age=0;/);
    expect((await refresh(api, refreshToken)).status).toBe(401);
    expect((await api.call('/api/auth/profile', { token })).status).toBe(200);
    api.clock.advance(15 * 60_000);
    expect((await api.call('/api/auth/profile', { token })).status).toBe(401);
  });

  it('takes the token in the body, also one that was exchanged already', async () => {
    await using api = await startApi();
    const { refreshToken } = await createUser(api);
    const next = await refresh(api, refreshToken);
    expect((await api.call('/api/auth/logout', { body: { refreshToken } })).status).toBe(200);
    expect((await refresh(api, next.body.refreshToken)).status).toBe(401);
  });

  it('200 for whoever is signed out already', async () => {
    await using api = await startApi();
    expect((await api.call('/api/auth/logout', { body: { refreshToken: 'unknown' } })).status).toBe(200);
    expect((await api.call('/api/auth/logout', { method: 'POST' })).status).toBe(200);
  });
});

function cookie(token: string): { cookie: string } {
  return { cookie: `other=1; __Host-lc_rt=${token}` };
}

function cookieOf(answer: Answer): string {
  return /^__Host-lc_rt=([^;]+); Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict; Secure$/.exec(
    String(answer.headers['set-cookie']),
  )![1]!;
}

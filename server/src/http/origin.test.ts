import { describe, expect, it } from 'vitest';
import { createOwner, createUser } from '../testing/factories.ts';
import { startApi, type TestApi } from '../testing/harness.ts';

const FRIEND = 'https://tools.example.org';

const start = () => startApi({ config: { allowedOrigins: [FRIEND], publicUrl: new URL('https://lilac.example.org') } });

const health = (api: TestApi, headers: Record<string, string>) => api.call('/api/health', { headers });

describe('the Origin header', () => {
  it('is not needed', async () => {
    await using api = await start();
    expect((await health(api, {})).status).toBe(200);
  });

  it("may be the request's own host, the public address or one on the list", async () => {
    await using api = await start();
    const own = await health(api, { host: '192.0.2.1:7080', origin: 'http://192.0.2.1:7080' });
    expect(own.status).toBe(200);
    expect(own.headers['access-control-allow-origin']).toBeUndefined();
    for (const origin of [FRIEND, 'https://lilac.example.org']) {
      const answer = await health(api, { host: '127.0.0.1:7080', origin });
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({ 'access-control-allow-origin': origin, vary: 'Origin' });
    }
  });

  it.each(['https://evil.example', 'null', 'http://lilac.example.org', 'https://tools.example.org.evil.example', ''])(
    '403 CA010 for %j, before anything is said about the credential or the path',
    async (origin) => {
      await using api = await start();
      for (const path of ['/api/health', '/api/applications', '/api/nothing', '/docs']) {
        const answer = await api.call(path, { headers: { origin } });
        expect(answer).toMatchObject({ status: 403, body: { code: 'CA010' } });
        expect(answer.headers['access-control-allow-origin']).toBeUndefined();
      }
    },
  );

  it('of a friend is answered in a preflight with what the path accepts', async () => {
    await using api = await start();
    const headers = { origin: FRIEND, 'access-control-request-method': 'POST' };
    const answer = await api.call('/api/applications', { method: 'OPTIONS', headers });
    expect(answer.status).toBe(204);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': FRIEND,
      'access-control-allow-methods': 'POST',
      'ratelimit-limit': expect.any(String) as string,
    });
    expect(answer.headers['access-control-allow-headers']).toContain('Authorization');
  });

  it('of a stranger is refused in a preflight', async () => {
    await using api = await start();
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
    const answer = await api.call('/api/applications', { method: 'OPTIONS', headers });
    expect(answer).toMatchObject({ status: 403, body: { code: 'CA010' } });
  });
});

describe('the refresh cookie', () => {
  it('403 CA010 when another site makes the browser send it', async () => {
    await using api = await start();
    const { refreshToken } = await createOwner(api);
    const headers = { cookie: `__Host-lc_rt=${refreshToken}`, 'sec-fetch-site': 'cross-site' };
    for (const path of ['/api/auth/refresh', '/api/auth/logout']) {
      expect(await api.call(path, { headers })).toMatchObject({ status: 403, body: { code: 'CA010' } });
    }
    expect((await api.call('/api/auth/refresh', { headers: { ...headers, origin: FRIEND } })).status).toBe(200);
  });

  it('is read under the name that fits the address it was reached at, and replaced by a new one', async () => {
    await using api = await start();
    const { refreshToken } = await createOwner(api);
    const answer = await api.call('/api/auth/refresh', {
      headers: { cookie: `a=b; __Host-lc_rt=${refreshToken}; c=d` },
    });
    expect(answer.status).toBe(200);
    expect(answer.body).not.toHaveProperty('refreshToken');
    const cookie = String(answer.headers['set-cookie']);
    expect(cookie).toMatch(/^__Host-lc_rt=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict; Secure$/);
  });

  it('goes without Secure where the platform is reached by plain http across a network', async () => {
    await using api = await start();
    const { refreshToken } = await createOwner(api);
    const headers = { cookie: `lc_rt_7080=${refreshToken}`, host: '192.168.1.5:7080' };
    const answer = await api.call('/api/auth/refresh', { headers });
    expect(String(answer.headers['set-cookie'])).toMatch(
      /^lc_rt_7080=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict$/,
    );
  });

  it('is one of its own at every port: cookies know none, and another platform may be at the next', async () => {
    await using api = await start();
    const { refreshToken } = await createOwner(api);
    const cookie = `__Host-lc_rt_7081=${refreshToken}`;
    const elsewhere = await api.call('/api/auth/refresh', { headers: { cookie, host: 'localhost:7080' } });
    expect(elsewhere.body.code).toBe('CA001');
    const answer = await api.call('/api/auth/refresh', { headers: { cookie, host: 'localhost:7081' } });
    expect(String(answer.headers['set-cookie'])).toMatch(/^__Host-lc_rt_7081=.+; Secure$/);
  });

  it('where an application could have set one, only that of the session which the page remembers counts', async () => {
    await using api = await start();
    const [ada, mallory] = [await createOwner(api), await createUser(api)];
    const cookie = [mallory, ada].map(({ refreshToken }) => `lc_rt=${refreshToken}`).join('; ');
    const ask = (path: string, headers: Record<string, string>) =>
      api.call(path, { headers: { cookie, host: 'lilac.test', ...headers } });
    expect((await ask('/api/auth/refresh', {})).body.code).toBe('CA001');
    expect((await ask('/api/auth/refresh', { 'x-session-id': 'ses_unknown' })).body.code).toBe('CA001');
    const own = { 'x-session-id': ada.sessionId };
    const onlyPlanted = { ...own, cookie: `lc_rt=${mallory.refreshToken}` };
    expect((await ask('/api/auth/refresh', onlyPlanted)).headers).not.toHaveProperty('set-cookie');
    const answer = await ask('/api/auth/refresh', own);
    const profile = await api.call('/api/auth/profile', { token: answer.body.token });
    expect(profile.body.email).toBe(ada.email);
    expect((await ask('/api/auth/logout', own)).status).toBe(200);
    expect((await ask('/api/auth/refresh', own)).status).toBe(401);
  });

  it('stays secure behind a proxy that ends TLS without our knowing', async () => {
    await using api = await startApi({ config: { publicUrl: new URL('https://lilac.example.org') } });
    const { refreshToken } = await createOwner(api);
    const headers = { cookie: `__Host-lc_rt=${refreshToken}`, host: 'lilac.example.org' };
    const answer = await api.call('/api/auth/refresh', { headers });
    expect(String(answer.headers['set-cookie'])).toMatch(/^__Host-lc_rt=.+; Secure$/);
  });

  it('opens nothing else', async () => {
    await using api = await start();
    const { refreshToken } = await createOwner(api);
    const answer = await api.call('/api/auth/profile', { headers: { cookie: `__Host-lc_rt=${refreshToken}` } });
    expect(answer).toMatchObject({ status: 401, body: { code: 'CA001' } });
  });
});

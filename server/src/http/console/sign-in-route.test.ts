import { request } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOwner, type TestOwner } from '../../testing/factories.ts';
import { startApi, type TestApi } from '../../testing/harness.ts';

const ORIGIN = 'https://lilac.example.org';

describe('POST /console/sign-in', () => {
  let api: TestApi;
  let owner: TestOwner;
  beforeAll(async () => {
    api = await startApi({ config: { publicUrl: new URL(ORIGIN) } });
    owner = await createOwner(api);
  });
  afterAll(() => api[Symbol.asyncDispose]());

  const signIn = (body: unknown, headers: Record<string, string> = { origin: ORIGIN }) =>
    api.call('/console/sign-in', { body, headers });

  /** From a place of its own, so that tests do not throttle each other. */
  const attempt = (address: string, credentials: object) =>
    api.app.inject({
      method: 'POST',
      url: '/console/sign-in',
      remoteAddress: address,
      headers: { origin: ORIGIN, 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' },
      payload: credentials,
    });

  it('200 with an access token in the body and the refresh token in the cookie only', async () => {
    const answer = await signIn({ email: owner.email, password: owner.password });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ token: expect.any(String) });
    expect(answer.headers['set-cookie']).toMatch(/^__Host-lc_rt=.+HttpOnly; SameSite=Strict; Secure/);
    const profile = await api.call('/api/auth/profile', { token: answer.body.token });
    expect(profile.body.email).toBe(owner.email);
  });

  it('sets a cookie that the browser keeps when the console is opened by address on a network', async () => {
    const credentials = { email: owner.email, password: owner.password };
    const headers = { host: '192.168.1.5:7080', origin: 'http://192.168.1.5:7080' };
    const answer = await signIn(credentials, headers);
    expect(answer.status).toBe(200);
    expect(answer.headers['set-cookie']).toMatch(/^lc_rt_7080=.+HttpOnly; SameSite=Strict$/);
  });

  it('carries the headers of every answer, its own and not those of the call behind it', async () => {
    const { headers } = await signIn({ email: owner.email, password: owner.password });
    expect(headers['ratelimit-limit']).toBe(String(api.config.rateLimit));
    expect(headers['ratelimit-remaining']).toMatch(/^\d+$/);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['x-request-id']).toMatch(/^req_\w+$/);
  });

  it('names the device by the browser, and remembers the address it really came from', async () => {
    const answer = await attempt('203.0.113.7', { email: owner.email, password: owner.password });
    const { token } = answer.json<{ token: string }>();
    const { body } = await api.call('/api/auth/sessions', { token });
    const current = body.find((session: { current: boolean }) => session.current);
    expect(current).toMatchObject({ device: 'Firefox on Linux', address: '203.0.113.7', kind: 'browser' });
  });

  it('behind the edge the address is the one that the edge vouches for', async () => {
    await using behind = await startApi({ config: { publicUrl: new URL(ORIGIN) } });
    const { email, password } = await createOwner(behind);
    const socketPath = join(behind.config.home, 'api.sock');
    await behind.app.listen({ path: socketPath });
    const { token } = await postOnSocket(socketPath, { email, password });
    const { body } = await behind.call('/api/auth/sessions', { token });
    expect(body.map((session: { address: string }) => session.address)).toContain('203.0.113.9');
  });

  it('200 from the address the browser itself uses, though it is not the public one', async () => {
    const headers = { host: '127.0.0.1:7080', origin: 'http://127.0.0.1:7080' };
    expect((await signIn({ email: owner.email, password: owner.password }, headers)).status).toBe(200);
  });

  it.each([
    ['no origin', {}],
    ['another origin', { origin: 'https://evil.example.org' }],
    ['an opaque origin', { origin: 'null' }],
    ['the same host over another protocol', { origin: 'http://lilac.example.org' }],
  ])('403 CA010 from %s', async (_case, headers) => {
    const answer = await signIn({ email: owner.email, password: owner.password }, headers);
    expect([answer.status, answer.body.code]).toEqual([403, 'CA010']);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it('403 CA010 from an origin that may call the API but is not the console', async () => {
    const origin = 'https://tools.example.org';
    await using other = await startApi({ config: { publicUrl: new URL(ORIGIN), allowedOrigins: [origin] } });
    const answer = await other.call('/console/sign-in', { body: { email: 'a@b', password: 'x' }, headers: { origin } });
    expect([answer.status, answer.body.code]).toEqual([403, 'CA010']);
  });

  it('401 CA002 with a wrong password, in the words of the API', async () => {
    const answer = await signIn({ email: owner.email, password: 'not the password' });
    expect([answer.status, answer.body.code]).toEqual([401, 'CA002']);
    expect(answer.body.message).toContain('password');
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it.each([
    ['no body', undefined, 'the body'],
    ['a list', [], 'the body'],
    ['no password', { email: 'a@b.example' }, 'password'],
    ['an empty password', { email: 'a@b.example', password: '' }, 'password'],
    ['a password that is no text', { email: 'a@b.example', password: 5 }, 'password'],
    ['a password beyond all bounds', { email: 'a@b.example', password: 'x'.repeat(257) }, 'password'],
    ['an address that is none', { email: 'nobody', password: 'x' }, 'email'],
  ])('400 VA001 with %s, naming what is wrong', async (_case, body, named) => {
    const answer = await signIn(body);
    expect([answer.status, answer.body.code]).toEqual([400, 'VA001']);
    expect(answer.body.message).toContain(named);
  });

  it('415 for a form, which another site could make a browser send', async () => {
    const answer = await api.call('/console/sign-in', {
      body: 'email=a&password=b',
      headers: { origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect([answer.status, answer.body.code]).toEqual([415, 'MT002']);
  });

  it('429 with Retry-After after too many failures from one address, and not from another', async () => {
    const wrong = { email: 'nobody@example.org', password: 'a wrong password' };
    let answer = await attempt('198.51.100.1', wrong);
    for (let tries = 1; answer.statusCode === 401 && tries < 30; tries++) answer = await attempt('198.51.100.1', wrong);
    expect(answer.statusCode).toBe(429);
    expect(answer.json()).toMatchObject({ code: 'CA009' });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    const elsewhere = await attempt('198.51.100.2', { email: owner.email, password: owner.password });
    expect(elsewhere.statusCode).toBe(200);
  });
});

function postOnSocket(socketPath: string, credentials: object): Promise<{ token: string }> {
  return new Promise((resolve, reject) => {
    const headers = { origin: ORIGIN, 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.9' };
    const call = request({ socketPath, path: '/console/sign-in', method: 'POST', headers }, (response) => {
      json(response).then((body) => resolve(body as { token: string }), reject);
    });
    call.on('error', reject).end(JSON.stringify(credentials));
  });
}

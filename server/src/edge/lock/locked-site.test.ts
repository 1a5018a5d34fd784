import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { json, text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { findRoute } from '../../routing/route-store.ts';
import { unlockMac } from '../../routing/unlock-mac.ts';
import { createApplication, createOwner, productionOf } from '../../testing/factories.ts';
import { startApi } from '../../testing/harness.ts';
import { startTestEdge, type ApiStandIn } from '../../testing/start-test-edge.ts';
import { writeRelease } from '../testing/write-release.ts';
import { APP, startSecureEdge } from '../tls/testing/start-secure-edge.ts';

const lock = { key: randomBytes(32).toString('base64url') };
const host = 'shop.apps.test';
const browser = { Accept: 'text/html,*/*;q=0.8' };
const formType = { 'Content-Type': 'application/x-www-form-urlencoded' };
/** A body brings a request to Node's own server; without one, the front answers it. */
const bothWays = [
  ['by the front', {}],
  ['by the HTTP server', { body: 'x' }],
] as const;

const cookieOf = (environmentId = 'env_1', { key } = lock) => {
  const expiry = Math.floor(Date.now() / 1000) + 60;
  return `lilac_unlock=${expiry}.${unlockMac({ key }, environmentId, expiry)}`;
};

async function startLockedSite(api: ApiStandIn | null = null, environmentId = 'env_1') {
  const edge = await startTestEdge(api, { holdMs: 50 });
  writeRelease(edge.paths.objects, {
    files: { '/index.html': 'secret page', '/a.js': { content: 'x', isImmutable: true } },
  });
  const target = { kind: 'static', artifactId: 'art_1', deploymentId: 'dep_1', revision: 1 } as const;
  const route = {
    environmentId,
    subdomain: 'shop',
    target,
    accessLog: false,
    domain: null,
    atSubdomain: true,
    version: 1,
  };
  edge.routes.set({ ...route, lock });
  const open = () => edge.routes.set({ ...route, lock: null });
  const post = (fields: Record<string, string>, headers: Record<string, string> = browser) =>
    edge.call({
      method: 'POST',
      path: '/.lilac/unlock',
      host,
      headers: { ...formType, ...headers },
      body: new URLSearchParams(fields).toString(),
    });
  return { ...edge, open, post };
}

describe('a locked site', () => {
  it.each(bothWays)('401 with a page that asks for the password, %s', async (_way, extra) => {
    const edge = await startLockedSite();
    const answer = await edge.call({ path: '/a?b="c"', host, headers: browser, ...extra });
    expect(answer).toMatchObject({
      status: 401,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        vary: 'Accept, Cookie',
        'x-lilac-error': 'CA012',
      },
    });
    expect(answer.body).toContain('<form method="post" action="/.lilac/unlock">');
    expect(answer.body).not.toContain('role="alert"');
    expect(answer.body).not.toContain('secret page');
  });

  it('cannot be framed, nor can any other page of the edge', async () => {
    const edge = await startLockedSite();
    for (const named of [host, 'nobody.apps.test']) {
      const { headers } = await edge.call({ host: named, headers: browser });
      expect(headers['content-security-policy']).toMatch(/^default-src 'none';.* frame-ancestors 'none'$/);
    }
  });

  it('brings the person back to where they wanted to go', async () => {
    const edge = await startLockedSite();
    const { body } = await edge.call({ path: '/a?b=c&d', host, headers: browser });
    expect(body).toContain('name="next" type="hidden" value="/a?b=c&amp;d"');
    const elsewhere = await edge.call({ path: '//evil.test', host, headers: browser });
    expect(elsewhere.body).toContain('name="next" type="hidden" value="/"');
  });

  it.each(bothWays)('401 CA012 for a program, %s', async (_way, extra) => {
    const edge = await startLockedSite();
    const answer = await edge.call({ host, headers: { Cookie: cookieOf('env_2') }, ...extra });
    expect(answer.status).toBe(401);
    expect(JSON.parse(answer.body)).toEqual({ message: expect.any(String) as string, code: 'CA012' });
  });

  it.each(bothWays)('serves who shows the cookie, for no cache but their own, %s', async (_way, extra) => {
    const edge = await startLockedSite();
    for (const [path, body] of [
      ['/', 'secret page'],
      ['/a.js', 'x'],
    ] as const) {
      const answer = await edge.call({ path, host, headers: { Cookie: `a=b; ${cookieOf()}` }, ...extra });
      expect(answer).toMatchObject({ status: 200, body });
      expect(answer.headers['cache-control']).toBe('private, no-cache');
    }
  });

  it('serves everybody, from all caches, when it is open again', async () => {
    const edge = await startLockedSite();
    edge.open();
    const answer = await edge.call({ path: '/a.js', host });
    expect(answer).toMatchObject({ status: 200, headers: { 'cache-control': 'public, max-age=31536000, immutable' } });
    expect((await edge.call({ method: 'POST', path: '/.lilac/unlock', host, body: 'x' })).status).toBe(405);
  });

  it('has only one path that is not its own', async () => {
    const edge = await startLockedSite();
    const headers = { Cookie: cookieOf() };
    expect((await edge.call({ path: '/.lilac/other', host, headers })).status).toBe(404);
    const again = await edge.call({ path: '/.lilac/unlock', host, headers });
    expect(again).toMatchObject({ status: 303, headers: { location: '/' } });
  });
});

describe('POST /.lilac/unlock', () => {
  it('asks the api, names it the client, and passes its cookie on', async () => {
    const asked: unknown[] = [];
    const edge = await startLockedSite(async (request: IncomingMessage, response: ServerResponse) => {
      const { 'x-forwarded-for': address, 'x-forwarded-proto': protocol } = request.headers;
      asked.push([request.method, request.url, address, protocol, await json(request)]);
      response.writeHead(200, {
        'Set-Cookie': 'lilac_unlock=1.x; Path=/; HttpOnly',
        'Content-Type': 'application/json',
      });
      response.end('{"unlocked":true}');
    });
    const answer = await edge.post({ password: 'ä b+c', next: '/a?b' }, { ...browser, 'X-Forwarded-For': '6.6.6.6' });
    expect(answer).toMatchObject({
      status: 303,
      headers: { location: '/a?b', 'set-cookie': ['lilac_unlock=1.x; Path=/; HttpOnly'], 'cache-control': 'no-store' },
    });
    const body = { environmentId: 'env_1', password: 'ä b+c' };
    expect(asked).toEqual([['POST', '/api/environments/unlock', '127.0.0.1', 'http', body]]);
    expect((await edge.post({ password: 'p', next: 'https://evil.test/' })).headers.location).toBe('/');
  });

  it.each([
    ['a wrong password', 401, {}, 401, 'That was not the password.'],
    ['what cannot be one', 400, {}, 401, 'That was not the password.'],
    ['too many attempts', 429, { 'Retry-After': '800' }, 429, 'Too many attempts. Try again in 14 minutes.'],
    ['an api that fails', 500, {}, 503, 'The password cannot be checked right now.'],
  ] as const)('shows the form again for %s', async (_what, apiStatus, headers, status, text) => {
    const edge = await startLockedSite((_request, response) => {
      response.writeHead(apiStatus, { ...headers, 'Content-Type': 'application/json' }).end('{}');
    });
    const answer = await edge.post({ password: 'x', next: '/there' });
    expect(answer.status).toBe(status);
    expect(answer.headers['retry-after']).toBe({ 429: '800', 503: '5', 401: undefined }[status]);
    expect(answer.body).toContain(`<p role="alert" id="problem">${text}`);
    expect(answer.body).toContain('value="/there"');
    const program = await edge.post({ password: 'x' }, {});
    expect(JSON.parse(program.body)).toMatchObject({ message: expect.stringContaining(text) as string });
  });

  it('waits for an api that restarts, and says so when it takes too long', async () => {
    const edge = await startLockedSite(null);
    expect((await edge.post({ password: 'x' })).status).toBe(503);
    await edge.startApi((_request, response) => response.writeHead(200).end('{"unlocked":true}'));
    expect((await edge.post({ password: 'x' })).status).toBe(303);
  });

  it('404 when the environment is gone', async () => {
    const edge = await startLockedSite((_request, response) => response.writeHead(404).end('{}'));
    expect((await edge.post({ password: 'x' })).status).toBe(404);
  });

  it.each([
    ['no form', { 'Content-Type': 'application/json' }, '{"password":"x"}'],
    ['more than a form', formType, `password=${'x'.repeat(9000)}`],
  ])('400 VA001 for %s, and the api is not asked', async (_what, headers, body) => {
    let calls = 0;
    const edge = await startLockedSite(() => calls++);
    const answer = await edge.call({ method: 'POST', path: '/.lilac/unlock', host, headers, body });
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'VA001' });
    expect(calls).toBe(0);
  });

  it('opens the address with the real api, by the password that was set, and shuts it by the next', async () => {
    await using api = await startApi();
    const { organisationId, token } = await createOwner(api);
    const application = await createApplication(api, { organisationId });
    const { id: environmentId } = await productionOf(api, application.id);
    const protect = async (password: string) => {
      const body = { targetOrganisationId: organisationId, environmentId, enabled: true, password };
      expect((await api.call('/api/environments/password', { token, body })).status).toBe(200);
      return (await findRoute(api.store.db, environmentId))!.lock;
    };
    await api.app.ready();
    const edge = await startLockedSite((request, response) => api.app.routing(request, response), environmentId);
    const route = edge.routes.find('shop')!;
    const follow = async (password: string) => edge.routes.set({ ...route, version: 2, lock: await protect(password) });
    await follow('first');
    expect((await edge.post({ password: 'second' })).status).toBe(401);
    const opened = await edge.post({ password: 'first', next: '/' });
    const Cookie = opened.headers['set-cookie']![0]!.split(';', 1)[0]!;
    expect(await edge.call({ host, headers: { Cookie } })).toMatchObject({ status: 200, body: 'secret page' });
    await follow('second');
    expect((await edge.call({ host, headers: { Cookie } })).status).toBe(401);
    for (let guess = 0; guess < 10; guess++) await edge.post({ password: 'guess' });
    expect((await edge.post({ password: 'second' })).status).toBe(429);
  });
  it('by https gives a cookie that travels by https only, and by http one that can be sent', async () => {
    await using api = await startApi();
    const { organisationId, token } = await createOwner(api);
    const application = await createApplication(api, { organisationId });
    const { id: environmentId } = await productionOf(api, application.id);
    const protect = { targetOrganisationId: organisationId, environmentId, enabled: true, password: 'right' };
    expect((await api.call('/api/environments/password', { token, body: protect })).status).toBe(200);
    const edge = await startSecureEdge(null, { route: { environmentId, lock } });
    await api.app.listen({ path: edge.paths.apiSocket });
    const [path, body] = ['/.lilac/unlock', 'password=right'];
    const plain = await edge.call({ method: 'POST', path, host: APP, headers: formType, body });
    expect(plain.headers['set-cookie']![0]).not.toContain('Secure');
    const { call } = await edge.session();
    const type = { 'content-type': formType['Content-Type'] };
    const second = await call({ ':method': 'POST', ':path': path, ...type }, body);
    expect(String(second.headers['set-cookie'])).toMatch(/; Secure$/);
    const socket = await edge.shake(APP);
    const head = `POST ${path} HTTP/1.1\r\nHost: ${APP}\r\nContent-Type: ${formType['Content-Type']}\r\n`;
    socket.write(`${head}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`);
    expect(await text(socket)).toMatch(/^set-cookie: lilac_unlock=.*; Secure\r$/im);
  });
});

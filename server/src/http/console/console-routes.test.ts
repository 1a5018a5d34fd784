import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { consolePaths } from '@lilac/contract/console-paths';
import { fastify, type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { systemClock } from '../../lib/clock.ts';
import { startApi, type TestApi } from '../../testing/harness.ts';
import { registerConsole } from './console-routes.ts';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
  "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

async function serveConsole(
  directory: string,
  environment: Record<string, string> = {},
  uploadOrigin: string | null = null,
): Promise<FastifyInstance> {
  const app = fastify();
  const deps = {
    uploadOrigin,
    config: readConfig(environment),
    clock: systemClock,
    consolePasswordKey: Buffer.alloc(32),
  };
  await registerConsole(app, { ...deps, directory });
  return app;
}

describe('GET of the console', () => {
  let directory: string;
  let app: FastifyInstance;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'lilac-console-'));
    mkdirSync(join(directory, 'assets'));
    writeFileSync(join(directory, 'index.html'), '<!doctype html><title>Lilac</title>');
    writeFileSync(join(directory, 'assets/index-1a2b.js'), 'run()');
    writeFileSync(join(directory, 'assets/index-1a2b.js.br'), 'compressed');
    app = await serveConsole(directory);
  });
  afterAll(async () => {
    await app.close();
    rmSync(directory, { recursive: true });
  });

  const strictPages = consolePaths.filter((path) => path !== '/repository-hosts');
  it.each(strictPages)('%s: the page, never kept without asking, under the strict policy', async (path) => {
    const answer = await app.inject(`${path}?any=thing`);
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toContain('<title>Lilac</title>');
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': POLICY,
    });
  });

  it('/repository-hosts: may post its form to the site of the configured host and be sent back, and nowhere else', async () => {
    const elsewhere = await serveConsole(directory, { LILAC_VCS_URL: 'https://git.example.org:8443/code' });
    for (const [server, sources] of [
      [app, "'self' https://github.com:* https://*.github.com:*"],
      [elsewhere, "'self' https://example.org:* https://*.example.org:*"],
    ] as const) {
      const { headers } = await server.inject('/repository-hosts');
      expect(headers['content-security-policy']).toBe(POLICY.replace("form-action 'none'", `form-action ${sources}`));
      expect(headers['referrer-policy']).toBe('strict-origin');
    }
    await elsewhere.close();
  });

  it('every page: may send archives to where they are kept, if that is elsewhere', async () => {
    await using elsewhere = await serveConsole(directory, {}, 'https://files.example.org');
    const { headers } = await elsewhere.inject('/new');
    expect(headers['content-security-policy']).toBe(
      POLICY.replace("connect-src 'self'", "connect-src 'self' https://files.example.org"),
    );
  });

  it('/assets: kept for good, compressed by the build', async () => {
    const answer = await app.inject({ url: '/assets/index-1a2b.js', headers: { 'accept-encoding': 'gzip, br' } });
    expect(answer.rawPayload.toString()).toBe('compressed');
    expect(answer.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    });
  });

  it('304 to whoever has the page already', async () => {
    const { headers } = await app.inject('/');
    const again = await app.inject({ url: '/', headers: { 'if-none-match': String(headers['etag']) } });
    expect(again.statusCode).toBe(304);
    expect(again.body).toBe('');
  });

  it('404 for what the console does not have', async () => {
    for (const path of [
      '/nowhere',
      '/assets/other.js',
      '/assets/../index.html',
      '/index.html',
      '/assets/index-1a2b.js.br',
    ]) {
      expect([path, (await app.inject(path)).statusCode]).toEqual([path, 404]);
    }
  });

  it.each([
    ['badly encoded', '/apps/%E0%A4%A'],
    ['too long for an id', `/apps/${'a'.repeat(101)}`],
  ])('an address that is %s shows a person the console, and a program the refusal', async (_how, path) => {
    await using api = await startApi();
    // Whether or not the console of this checkout is built.
    api.app.missingPage = app.missingPage!;
    const asked = (url: string, accept: string) => api.app.inject({ url, headers: { accept } });
    const page = await asked(path, 'text/html,*/*;q=0.8');
    expect([page.statusCode, page.body]).toEqual([404, expect.stringContaining('<title>Lilac</title>')]);
    expect(page.headers).toMatchObject({ 'content-security-policy': POLICY, 'x-request-id': expect.any(String) });
    expect((await asked(path, 'application/json')).json()).toMatchObject({ code: 'VA001' });
    expect((await asked('/api/%zz', 'text/html')).json()).toMatchObject({ code: 'VA001' });
  });

  it('separates the window from its opener where browsers take that: on https', async () => {
    const secure = await serveConsole(directory, { LILAC_PUBLIC_URL: 'https://lilac.example.org' });
    expect((await secure.inject('/')).headers['cross-origin-opener-policy']).toBe('same-origin');
    expect((await app.inject('/')).headers['cross-origin-opener-policy']).toBeUndefined();
    await secure.close();
  });

  it('503 with what to do when it was not built', async () => {
    const unbuilt = await serveConsole(join(directory, 'absent'));
    const answer = await unbuilt.inject('/');
    expect(answer.statusCode).toBe(503);
    expect(answer.body).toContain('npm start');
    expect(answer.headers['content-security-policy']).toBe(POLICY);
    await unbuilt.close();
  });
});

describe('the console beside the API', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi();
  });
  afterAll(() => api[Symbol.asyncDispose]());

  it('its pages carry the headers that every answer carries', async () => {
    const { headers } = await api.call('/', { method: 'GET' });
    for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'x-request-id']) {
      expect([name, headers[name]]).toEqual([name, expect.stringMatching(/./)]);
    }
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' });
  });

  it('never answers below /api or in place of the reference', async () => {
    const unknown = await api.call('/api/nowhere', { method: 'GET' });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'NF002']);
    const wrongMethod = await api.call('/api/applications', { method: 'GET' });
    expect([wrongMethod.status, wrongMethod.body.code]).toEqual([405, 'MT001']);
    const reference = await api.call('/docs', { method: 'GET' });
    expect(reference.headers['content-security-policy']).not.toBe(POLICY);
  });
});

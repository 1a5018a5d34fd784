import { join } from 'node:path';
import { consolePaths } from '@lilac/contract/console-paths';
import { describe, expect, it } from 'vitest';
import { RATE_WINDOW_SECONDS } from '../lib/rate-limit.ts';
import { createStandInHosts } from '../modules/vcs/testing/stand-in-hosts.ts';
import { startApi } from '../testing/harness.ts';
import type { WebhookRequest } from '../vcs/vcs-host.ts';
import { readConsoleFiles } from './console/console-files.ts';

describe('an address over the limit', () => {
  it('429 CA009 with Retry-After, at every path, until the window ends', async () => {
    await using api = await startApi({ config: { rateLimit: 3 } });
    const paths = ['/api/health', '/api/nothing', '/docs'];
    const within = await Promise.all(paths.map((path) => api.call(path, { method: 'GET' })));
    expect(within.map(({ status }) => status)).toEqual([200, 404, 200]);
    expect(within.map(({ headers }) => headers['ratelimit-remaining'])).toEqual(['2', '1', '0']);
    for (const path of paths) {
      const answer = await api.call(path, { method: 'GET' });
      expect(answer).toMatchObject({ status: 429, body: { code: 'CA009' } });
      expect(answer.headers).toMatchObject({
        'retry-after': '600',
        'ratelimit-remaining': '0',
        'ratelimit-limit': '3',
      });
    }
    api.clock.advance(RATE_WINDOW_SECONDS * 1000);
    expect((await api.call('/api/health')).status).toBe(200);
  });

  it('still gets the pages and files of the console, which count for nothing', async () => {
    // Those of this checkout, where it is built.
    const files = await readConsoleFiles(join(import.meta.dirname, '../../../console/dist'));
    const paths = [...consolePaths, ...(files?.keys() ?? [])].filter((path) => path !== '/index.html');
    await using api = await startApi({ config: { rateLimit: 1 } });
    api.app.missingPage ??= async (_request, reply) => await reply.code(404).send('');
    const look = async (url: string) => {
      const { statusCode, headers } = await api.app.inject({ url, headers: { accept: 'text/html' } });
      return { isRefused: statusCode === 429, remaining: headers['ratelimit-remaining'] };
    };
    const lookAtAll = async () => await Promise.all([...paths, '/nowhere', '/%zz'].map(look));
    for (const seen of await lookAtAll()) expect(seen).toEqual({ isRefused: false, remaining: '1' });
    expect([await look('/api/health'), await look('/api/health')]).toEqual([
      { isRefused: false, remaining: '0' },
      { isRefused: true, remaining: '0' },
    ]);
    for (const seen of await lookAtAll()) expect(seen).toEqual({ isRefused: false, remaining: '0' });
    expect(await look('/docs'), 'what is no part of the console').toMatchObject({ isRefused: true });
  });

  it('is still heard as a repository host, whose webhooks count only when they are forged', async () => {
    const vcsHosts = createStandInHosts();
    await using api = await startApi({ config: { rateLimit: 2 }, vcsHosts });
    const post = async ({ headers, body }: { headers: WebhookRequest['headers']; body: Buffer }) => {
      const given = headers as Record<string, string>;
      const url = '/api/vcs-app/webhook';
      const answer = await api.app.inject({ method: 'POST', url, headers: given, payload: body });
      return [answer.statusCode, answer.headers['ratelimit-remaining']];
    };
    const genuine = () => post(vcsHosts.provider1.delivery([]));
    const forged = () => post({ headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') });
    for (let n = 0; n < 4; n++) expect(await genuine()).toEqual([200, '2']);
    expect([await forged(), await forged(), await forged()]).toEqual([
      [401, '1'],
      [401, '0'],
      [429, '0'],
    ]);
    expect((await api.call('/api/health', { method: 'GET' })).status).toBe(429);
    expect(await genuine()).toEqual([200, '0']);
  });
});

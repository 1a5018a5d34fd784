import { describe, expect, it } from 'vitest';
import { RATE_WINDOW_SECONDS } from '../lib/rate-limit.ts';
import { startApi } from '../testing/harness.ts';

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
});

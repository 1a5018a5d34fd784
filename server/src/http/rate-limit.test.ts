import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../testing/fake-clock.ts';
import { startApi } from '../testing/harness.ts';
import { clientOf, createRateLimit, RATE_WINDOW_SECONDS } from './rate-limit.ts';

describe('createRateLimit', () => {
  it('counts every address by itself and lets exactly the limit through', () => {
    const count = createRateLimit({ limit: 2, clock: createFakeClock() });
    expect(count('192.0.2.1')).toEqual({ isOver: false, remaining: 1, resetSeconds: 600 });
    expect(count('192.0.2.1').isOver).toBe(false);
    expect(count('192.0.2.1')).toMatchObject({ isOver: true, remaining: 0 });
    expect(count('192.0.2.2').isOver).toBe(false);
  });

  it('begins anew when the window ends, and not before', () => {
    const clock = createFakeClock();
    const count = createRateLimit({ limit: 1, clock });
    count('192.0.2.1');
    clock.advance(RATE_WINDOW_SECONDS * 1000 - 1);
    expect(count('192.0.2.1')).toMatchObject({ isOver: true, resetSeconds: 1 });
    clock.advance(1);
    expect(count('192.0.2.1')).toMatchObject({ isOver: false, resetSeconds: 600 });
  });

  it('remembers a bounded number of clients, forgetting the oldest first', () => {
    const count = createRateLimit({ limit: 1, clock: createFakeClock() });
    count('oldest');
    for (let client = 0; client < 100_000; client++) count(`client ${client}`);
    expect(count('client 99999').isOver).toBe(true);
    expect(count('oldest').isOver).toBe(false);
  });
});

describe('clientOf', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2:ffff::', '2001:db8:1:2'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
  ])('%s belongs to the client %s', (address, client) => expect(clientOf(address)).toBe(client));
});

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

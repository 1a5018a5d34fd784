import { describe, expect, it } from 'vitest';
import { createLilac, isUnavailable } from './lilac.ts';
import { refusal, startFakePlatform, type Answer, type Answers } from './testing/start-fake-platform.ts';

/** Fails so often, then answers. */
function failing(times: number, failure: Answer | 'cut', answer: unknown = {}): Answers[string] {
  return (_, raw) => {
    if (times-- <= 0) return { json: answer };
    if (failure !== 'cut') return failure;
    raw.destroy();
    return null;
  };
}

describe('a call', () => {
  it.each(['cut', refusal(503, 'SV002'), refusal(502, 'SV003')] as const)(
    'that reads is tried again while the platform is away',
    async (failure) => {
      await using platform = await startFakePlatform({ '/api/applications/status': failing(2, failure) });
      const lilac = createLilac({ baseUrl: platform.url, token: 'lc_x' });
      await lilac.call('applications.status', { body: { applicationId: 'app_1' } });
      expect(platform.asked).toHaveLength(3);
    },
  );

  it('waits as long as the platform asks, and gives up at once where that is too long', async () => {
    await using platform = await startFakePlatform({
      '/api/applications/status': failing(1, refusal(503, 'SV002', { 'retry-after': '1' })),
      '/api/databases/status': failing(1, refusal(503, 'SV002', { 'retry-after': '60' })),
    });
    const lilac = createLilac({ baseUrl: platform.url, token: 'lc_x' });
    const before = performance.now();
    await lilac.call('applications.status', { body: { applicationId: 'app_1' } });
    expect(performance.now() - before).toBeGreaterThan(990);
    const call = lilac.call('databases.status', { body: { databaseId: 'db_1' } });
    await expect(call).rejects.toSatisfy(isUnavailable);
    expect(platform.of('/api/databases/status')).toHaveLength(1);
  });

  it.each(['cut', refusal(503, 'SV002')] as const)(
    'that creates is never sent twice when it may have arrived',
    async (failure) => {
      await using platform = await startFakePlatform({ '/api/projects/create': failing(1, failure) });
      const lilac = createLilac({ baseUrl: platform.url, token: 'lc_x' });
      await expect(lilac.call('projects.create', { body: { name: 'shop' } })).rejects.toThrow(/fetch failed|SV002/);
      expect(platform.asked).toHaveLength(1);
    },
  );

  it('that creates is sent again when nobody was there to take it', async () => {
    const first = await startFakePlatform({});
    await first[Symbol.asyncDispose]();
    const sent: string[] = [];
    const lilac = createLilac({
      baseUrl: first.url,
      token: 'lc_x',
      fetch: (input, init) => {
        sent.push('try');
        return sent.length < 3 ? fetch(input, init) : Promise.resolve(Response.json({ id: 'prj_1' }));
      },
    });
    await lilac.call('projects.create', { body: { name: 'shop' } });
    expect(sent).toHaveLength(3);
  });

  it('is not tried again after it was aborted', async () => {
    await using platform = await startFakePlatform({ '/api/health': failing(99, refusal(503, 'SV002')) });
    const signal = AbortSignal.timeout(100);
    const call = createLilac({ baseUrl: platform.url }).call('health.get', { signal });
    await expect(call).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(platform.asked.length).toBeLessThan(3);
  });
});

const line = (id: number) => `id: ${id}\nevent: log\ndata: {"message":"line ${id}"}\n\n`;
const speak =
  (text: string): Answers[string] =>
  (_, raw) => {
    raw.writeHead(200, { 'content-type': 'text/event-stream' }).end(`retry: 1\n\n${text}`);
    return null;
  };

describe('a stream', () => {
  const params = { targetOrganisationId: '-', environmentId: 'env_1' };
  const path = '/api/environments/-/env_1/logs/stream';

  it('is opened again where the platform was away at first, and goes on after a refused token', async () => {
    const turns = [
      failing(1, refusal(503, 'SV002')),
      speak(line(1)),
      failing(1, refusal(401, 'CA002')),
      speak(line(2)),
    ];
    await using platform = await startFakePlatform({ [path]: (asked, raw) => turns.shift()!(asked, raw) });
    const tokens = ['lc_1', 'lc_1', 'lc_1', 'lc_2'];
    const lilac = createLilac({ baseUrl: platform.url, token: () => tokens.shift() ?? 'lc_2' });
    const messages: string[] = [];
    for await (const { data } of lilac.stream('logs.stream', { params })) {
      messages.push(data.message);
      if (messages.length === 2) break;
    }
    expect(messages).toEqual(['line 1', 'line 2']);
    expect(platform.asked.at(-1)?.headers).toMatchObject({ 'last-event-id': '1', authorization: 'Bearer lc_2' });
  });

  it('ends, and does not fail, when it is aborted while the platform is away', async () => {
    await using platform = await startFakePlatform({ [path]: () => refusal(503, 'SV002') });
    const lilac = createLilac({ baseUrl: platform.url, token: 'lc_1' });
    for await (const _ of lilac.stream('logs.stream', { params, signal: AbortSignal.timeout(100) })) {
      expect.unreachable();
    }
    expect(platform.asked.length).toBeGreaterThan(0);
  });
});

import { describe, expect, it } from 'vitest';
import { startTestEdge } from '../testing/start-test-edge.ts';

const get = 'GET / HTTP/1.1\r\nConnection: close\r\n';

describe('an answer of the edge itself', () => {
  it.each([
    ['404 for an unknown host', `${get}Host: unknown.test\r\n\r\n`, 404],
    ['404 for an application', `${get}Host: shop.apps.test\r\n\r\n`, 404],
    ['503 without an api', `${get}Host: localhost\r\n\r\n`, 503],
    ['400 without a host', `${get}\r\n`, 400],
    ['400 for what is not HTTP', 'hello\r\n\r\n', 400],
    ['405 for a tunnel', 'CONNECT evil.test:443 HTTP/1.1\r\nHost: evil.test:443\r\n\r\n', 405],
    ['417 for an expectation', `${get}Host: localhost\r\nExpect: miracles\r\n\r\n`, 417],
    ['431 for large headers', `${get}Host: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ])('names the request and the rest of the rate: %s', async (_what, bytes, status) => {
    const edge = await startTestEdge(null, { holdMs: 50, rateLimit: 7 });
    const { head, body } = parse(await edge.sendRaw(bytes));
    expect(head[0]).toContain(` ${status} `);
    expect(head).toEqual(
      expect.arrayContaining([
        'RateLimit-Limit: 7',
        'RateLimit-Policy: 7;w=600',
        'RateLimit-Remaining: 6',
        'RateLimit-Reset: 600',
        expect.stringMatching(/^X-Request-Id: req_\w{26}$/),
      ]),
    );
    expect(body).toEqual({ message: expect.any(String) as string, code: expect.any(String) as string });
  });

  it.each([
    ['a request', `${get}Host: unknown.test\r\n\r\n`],
    ['no request', 'hello\r\n\r\n'],
  ])('429 CA009 with Retry-After over the limit: to %s', async (_what, bytes) => {
    const edge = await startTestEdge(null, { rateLimit: 1 });
    await edge.sendRaw(bytes);
    const { head, body } = parse(await edge.sendRaw(bytes));
    expect(head[0]).toContain(' 429 ');
    expect(head).toEqual(
      expect.arrayContaining(['RateLimit-Remaining: 0', expect.stringMatching(/^Retry-After: \d{3}$/)]),
    );
    expect(body).toMatchObject({ code: 'CA009' });
  });

  it('counts by the client that a trusted proxy names', async () => {
    const edge = await startTestEdge(null, { rateLimit: 1, trustedProxies: ['127.0.0.1'] });
    const callAs = (address: string) => edge.call({ host: 'unknown.test', headers: { 'X-Forwarded-For': address } });
    expect((await callAs('203.0.113.5')).status).toBe(404);
    expect((await callAs('203.0.113.6')).status).toBe(404);
    expect((await callAs('203.0.113.5')).status).toBe(429);
  });

  it('502 SV003 even over the limit, since the change may have been made', async () => {
    const edge = await startTestEdge((request) => request.socket.destroy(), { rateLimit: 1 });
    await edge.call({ host: 'unknown.test' });
    const answer = await edge.call({ method: 'POST', body: 'change' });
    expect(answer).toMatchObject({ status: 502, headers: { 'ratelimit-remaining': '0' } });
  });

  it('leaves the rate of what the api answers to the api', async () => {
    const edge = await startTestEdge((_request, response) => response.end(), { rateLimit: 1 });
    for (let round = 0; round < 3; round++) expect((await edge.call({})).status).toBe(200);
    expect((await edge.call({ host: 'unknown.test' })).status).toBe(404);
  });
});

function parse(answer: string): { head: string[]; body: unknown } {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return { head: head.split('\r\n'), body: JSON.parse(body) };
}

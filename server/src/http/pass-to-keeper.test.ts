import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPeerServer } from '../lib/peer-tls.ts';
import { API_PURPOSE } from '../routing/api-purposes.ts';
import { announceApi } from '../routing/api-store.ts';
import { platformSecret } from '../secrets/platform-secrets-store.ts';
import { hostIdOf } from '../store/host-id.ts';
import { startApi, type Answer, type TestApi } from '../testing/harness.ts';

interface Arrived {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

const EXPLORER = '/api/databases/explorer/query';
const LIMIT = 40;
let api: TestApi;
let door: ReturnType<typeof createPeerServer>;
const arrived: Arrived[] = [];

beforeAll(async () => {
  api = await startApi({ config: { databaseUrl: 'postgresql://shared.example.org/lilac', rateLimit: LIMIT } });
  const other = createServer((request, response) => void answerAsOther(request, response));
  const secret = await platformSecret(api, 'edge-to-api');
  const takers = { [API_PURPOSE]: (socket: object) => void other.emit('connection', socket) };
  door = createPeerServer({ secret, takers });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  await keptBy('other-1234');
});
afterAll(async () => {
  door.close();
  await api[Symbol.asyncDispose]();
});

async function answerAsOther(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url, headers } = request;
  arrived.push({ method, url, headers, body: await text(request) });
  response.writeHead(418, { 'content-type': 'application/json', 'x-of-the-other': 'yes', 'ratelimit-limit': '7' });
  response.end('{"from":"the other"}');
}

async function keptBy(host: string): Promise<void> {
  await api.store.pool.query(
    `insert into leaderships (name, term, host) values ('databases', 1, $1) on conflict (name) do update set host = $1`,
    [host],
  );
  lookAgain();
}

async function announce(name: string, { port } = door.address() as AddressInfo): Promise<void> {
  await announceApi(api.store.db, { name, host: '127.0.0.1', port });
  lookAgain();
}

/** What was found is good for a second. */
const lookAgain = () => api.clock.advance(1000);

describe('an api on a host that does not keep the databases', () => {
  it('503 for what only the other host knows, while that one cannot be asked; says what it can by itself', async () => {
    const answer = await api.call(EXPLORER, { body: {} });
    expect(answer).toMatchObject({ status: 503, body: { code: 'SV002' } });
    expect(answer.headers).toMatchObject({ 'retry-after': '5', 'ratelimit-limit': String(LIMIT) });
    // It needs a credential, and has none.
    expect((await api.call('/api/config/platform')).status).toBe(401);
  });

  it('passes it on as it came, and the answer back, and answers everything else by itself', async () => {
    await announce('other-1234@boot');
    const body = { databaseId: 'db_1', statement: 'select 1' };
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    const answer = await api.call(EXPLORER, { body, token: 'a-token', headers });
    expect(answer).toMatchObject({ status: 418, body: { from: 'the other' } });
    expect(answer.headers).toMatchObject({ 'x-of-the-other': 'yes', 'ratelimit-limit': String(LIMIT) });
    expect(arrived).toMatchObject([{ method: 'POST', url: EXPLORER, body: JSON.stringify(body) }]);
    expect(arrived[0]!.headers).toMatchObject({ authorization: 'Bearer a-token', ...headers });
    expect((await api.call('/api/config/platform')).body).toEqual({ from: 'the other' });
    expect((await api.call('/api/databases', { body: {} })).status).toBe(401);
    expect(arrived).toHaveLength(2);
  });

  it('answers what was passed to it, whoever it thinks keeps them, and counts it only if nobody has', async () => {
    const answers: Answer[] = [];
    for (const word of ['counted', 'counted', '1']) {
      answers.push(await api.call(EXPLORER, { body: {}, headers: { 'x-lilac-passed-on': word } }));
    }
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    const [left, ...then] = answers.map(({ headers }) => Number(headers['ratelimit-remaining']));
    expect(then).toEqual([left, left! - 1]);
  });

  it('503 when the other one is gone', async () => {
    await announce('other-1234@boot', { port: 1 } as AddressInfo);
    const answer = await api.call(EXPLORER, { body: {} });
    expect(answer.status).toBe(503);
    expect(answer.headers).toMatchObject({ 'retry-after': '5', 'x-content-type-options': 'nosniff' });
  });
});

it('an api on the host that keeps the databases answers by itself', async () => {
  await announce('other-1234@boot');
  await keptBy(hostIdOf(api.config));
  expect((await api.call(EXPLORER, { body: {} })).status).toBe(401);
});

it('429 for who asks too often, and the other one is not troubled', async () => {
  await keptBy('other-1234');
  const answers = await Promise.all(Array.from({ length: LIMIT }, () => api.call(EXPLORER, { body: {} })));
  const statuses = answers.map(({ status }) => status);
  // The others of this file were counted, too.
  expect(new Set(statuses)).toEqual(new Set([418, 429]));
  const before = arrived.length;
  expect((await api.call(EXPLORER, { body: {} })).status).toBe(429);
  expect(arrived).toHaveLength(before);
});

import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findChallengeAnswer } from '../../certificates/acme/challenge-store.ts';
import { listenRaw, SWITCHING_PROTOCOLS } from '../../testing/listen-raw.ts';
import { createTestStore, type TestStore } from '../../testing/test-store.ts';
import { createPassOnProbe } from './pass-on-probe.ts';

let store: TestStore;
beforeAll(async () => {
  store = await createTestStore();
});
afterAll(() => store[Symbol.asyncDispose]());

async function listen(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, [Symbol.dispose]: () => void server.close() };
}

/** As an edge would. */
const passesOn: RequestListener = (request, response) =>
  void findChallengeAnswer(store.db, request.url!.split('/').at(-1)!).then((answer) => response.end(answer));

it('what is passed on to this platform is known by its answer, and nothing is left behind', async () => {
  const hosts: (string | undefined)[] = [];
  using proxy = await listen((request, response) => {
    hosts.push(request.headers.host);
    passesOn(request, response);
  });
  const probe = createPassOnProbe({ store, port: proxy.port, mayAsk: () => true });
  expect(await probe('www.example.org', ['127.0.0.1'])).toBe(true);
  expect(hosts).toEqual(['www.example.org']);
  expect(await store.db.selectFrom('acme_challenges').selectAll().execute()).toEqual([]);
});

it('somebody else’s server is not taken for it, nor one that says no end', async () => {
  using other = await listen((_request, response) => void response.end('hello'));
  using endless = await listen((_request, response) => void response.end('x'.repeat(100_000)));
  for (const { port } of [other, endless]) {
    expect(await createPassOnProbe({ store, port, mayAsk: () => true })('www.example.org', ['127.0.0.1'])).toBe(false);
  }
});

it.each([
  ['another protocol', SWITCHING_PROTOCOLS],
  ['a body that does not come', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc'],
  ['nothing', ''],
])('a server that answers with %s holds nobody up', async (_what, answer) => {
  const port = await listenRaw(answer);
  const began = performance.now();
  expect(await createPassOnProbe({ store, port, mayAsk: () => true })('www.example.org', ['127.0.0.1'])).toBe(false);
  expect(performance.now() - began).toBeLessThan(15_000);
});

it('nobody within the network that the platform is in is asked', async () => {
  let requests = 0;
  using inside = await listen((request, response) => {
    requests++;
    passesOn(request, response);
  });
  expect(await createPassOnProbe({ store, port: inside.port })('www.example.org', ['127.0.0.1', '10.0.0.1'])).toBe(
    false,
  );
  expect(requests).toBe(0);
});

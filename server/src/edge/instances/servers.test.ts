import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { findFreePort, startInstance } from './testing/start-instance.ts';
import { heldAnswers, host, startServedEdge } from './testing/start-served-edge.ts';

const slow = (_request: unknown, response: ServerResponse) => setTimeout(() => response.end('ok'), 5);
/** The first answers wait until there are so many at a time, however slowly they come. */
function slowOnceFull(count: number) {
  const held: ServerResponse[] = [];
  return (request: unknown, response: ServerResponse) => {
    const isFull = held.length === count;
    if (isFull) slow(request, response);
    else if (held.push(response) === count) for (const each of held) slow(request, each);
  };
}
const quick = (_request: unknown, response: ServerResponse) => setImmediate(() => response.end('ok'));

describe('a server', () => {
  it('is asked, whatever the method, and answers itself', async () => {
    const edge = await startServedEdge();
    const { address } = await startInstance('a', async (request, response) => {
      response.writeHead(201, { 'X-Mine': 'yes' }).end(`${request.method} ${request.url} ${await text(request)}`);
    });
    edge.publish([address]);
    const answer = await edge.call({ method: 'PUT', path: '/x?y', host, body: 'hello' });
    expect(answer).toMatchObject({ status: 201, body: 'PUT /x?y hello', headers: { 'x-mine': 'yes' } });
    expect(answer.headers['x-lilac-error']).toBeUndefined();
  });

  it('gets no more requests at a time than it may, whoever comes, and all are answered', async () => {
    const edge = await startServedEdge();
    const instances = [await startInstance('a', slowOnceFull(3)), await startInstance('b', slowOnceFull(3))];
    edge.publish(
      instances.map(({ address }) => address),
      { concurrency: 3 },
    );
    const answers = await edge.getMany(60);
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(instances.map(({ most }) => most)).toEqual([3, 3]);
    expect(edge.gates.load()).toMatchObject({ instances: {} });
  });

  it('shares with others, the least loaded first', async () => {
    const edge = await startServedEdge();
    const { held, handler } = heldAnswers();
    const [slow, quick] = [await startInstance('slow', handler), await startInstance('quick')];
    edge.publish([slow.address]);
    const waiting = [edge.get(), edge.get()];
    await eventually('they are there', () => held.length === 2);
    edge.publish([slow.address, quick.address]);
    for (let round = 0; round < 10; round++) expect((await edge.get()).body).toBe('quick');
    for (const response of held) response.end('slow');
    expect((await Promise.all(waiting)).map(({ body }) => body)).toEqual(['slow', 'slow']);
  });

  it('503 with a page that says so when it is not there in time', async () => {
    const edge = await startServedEdge({ instanceHoldMs: 100 });
    edge.publish([]);
    const page = await edge.get('/', { Accept: 'text/html' });
    expect(page).toMatchObject({ status: 503, headers: { 'x-lilac-error': 'SV002', 'retry-after': '5' } });
    expect(page.body).toContain('<h1>This application did not wake up</h1>');
    edge.publish([{ id: 'a', host: '127.0.0.1', port: await findFreePort() }]);
    expect(JSON.parse((await edge.get()).body)).toMatchObject({
      code: 'SV002',
      message: /still starting|were started/,
    });
    edge.publish([], { outage: 'crashing' });
    expect((await edge.get('/', { Accept: 'text/html' })).body).toContain('<h1>This application keeps ending</h1>');
  });

  it('502 when it breaks off', async () => {
    const edge = await startServedEdge();
    const { address } = await startInstance('a', (request) => request.socket.destroy());
    edge.publish([address]);
    const answer = await edge.call({ method: 'POST', host, body: 'x' });
    expect(answer).toMatchObject({ status: 502, headers: { 'x-lilac-error': 'SV004' } });
  });
});

describe('a server that sleeps', () => {
  it('is asked for once by a burst, which then is answered whole by those that came', async () => {
    const edge = await startServedEdge();
    edge.publish([], { concurrency: 20 });
    const answers = edge.getMany(80);
    await eventually('all wait', () => edge.gates.held === 80);
    await eventually('it was asked for', () => edge.demands.at(-1)?.waiting === 80);
    const instances = [await startInstance('a', slow), await startInstance('b', slow)];
    edge.publish(
      instances.map(({ address }) => address),
      { concurrency: 20 },
    );
    expect((await answers).every(({ status }) => status === 200)).toBe(true);
    expect(instances.reduce((sum, { requests }) => sum + requests, 0)).toBe(80);
    expect(Math.max(...instances.map(({ most }) => most))).toBeLessThanOrEqual(20);
  });

  it('may be named before it listens: requests go as soon as it does', async () => {
    const edge = await startServedEdge();
    const port = await findFreePort();
    edge.publish([]);
    const early = edge.getMany(3);
    await eventually('they wait', () => edge.gates.held === 3);
    edge.publish([{ id: 'a', host: '127.0.0.1', port }]);
    const late = edge.call({ method: 'POST', host, body: 'x' });
    await delay(60);
    await startInstance('a', undefined, port);
    expect([...(await early), await late].map(({ body }) => body)).toEqual(['a', 'a', 'a', 'a']);
  });

  it('is not waited for by a client that is gone', async () => {
    const edge = await startServedEdge();
    edge.publish([]);
    const socket = edge.openRaw(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    await eventually('it waits', () => edge.gates.held === 1);
    // One that only says no more may still want its answer.
    socket.resetAndDestroy();
    await eventually('it does not', () => edge.gates.held === 0);
    expect(edge.gates.load().environments['env_1']).toMatchObject({ waiting: 0, requests: 1 });
  });
});

describe('a server that is replaced', () => {
  it('finishes what it has, while the new one has the rest, and is then told', async () => {
    const edge = await startServedEdge();
    const { held, handler } = heldAnswers();
    const [old, next] = [await startInstance('old', handler), await startInstance('new')];
    edge.publish([old.address]);
    const last = edge.get();
    await eventually('it has it', () => held.length === 1);
    edge.publish([next.address]);
    expect((await edge.getMany(10)).every(({ body }) => body === 'new')).toBe(true);
    expect([edge.drained, edge.gates.load().instances]).toEqual([[], { old: 1 }]);
    held[0]!.end('old');
    expect((await last).body).toBe('old');
    await eventually('it is told', () => edge.drained.length > 0);
    expect(edge.drained).toEqual(['old']);
  });

  it('is not waited for when its machine is gone: another is asked what can be asked twice, the rest is told so', async () => {
    const edge = await startServedEdge();
    const { held, handler } = heldAnswers();
    const [lost, slow] = [await startInstance('lost', handler), await startInstance('slow', handler)];
    const next = await startInstance('next');
    edge.publish([lost.address]);
    const asked = [edge.get(), edge.call({ method: 'POST', host, body: 'x' })];
    await eventually('it has them', () => held.length === 2);
    edge.publish([slow.address]);
    const late = edge.get();
    await eventually('it has it', () => held.length === 3);
    edge.publish([next.address], { lost: ['lost'] });
    expect(await asked[0]).toMatchObject({ status: 200, body: 'next' });
    expect(await asked[1]).toMatchObject({ status: 502, headers: { 'x-lilac-error': 'SV004' } });
    expect(next.requests).toBe(1);
    // One that only takes no more requests finishes what it has.
    expect(edge.gates.load().instances).toEqual({ slow: 1 });
    held[2]!.end('slow');
    expect(await late).toMatchObject({ status: 200, body: 'slow' });
    await eventually('both are told to be done', () => edge.drained.length === 2);
    expect(edge.drained).toEqual(['lost', 'slow']);
  });

  it('may be replaced again and again under load, and no request fails', async () => {
    const edge = await startServedEdge();
    let current = await startInstance('0', quick);
    edge.publish([current.address]);
    const over = new AbortController();
    const statuses = new Map<number, number>();
    const client = async () => {
      while (!over.signal.aborted) {
        const { status } = await edge.call({ method: 'POST', host, body: 'x' });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    const clients = Array.from({ length: 10 }, client);
    for (let release = 1; release <= 15; release++) {
      const next = await startInstance(String(release), quick);
      edge.publish([next.address]);
      const before = current;
      await eventually('the old one is done', () => before.inFlight === 0);
      before.stop();
      current = next;
    }
    over.abort();
    await Promise.all(clients);
    expect([...statuses.keys()]).toEqual([200]);
  });

  it('that has died is passed over: no request fails', async () => {
    const edge = await startServedEdge();
    const [dead, well] = [await startInstance('dead'), await startInstance('well')];
    edge.publish([dead.address, well.address]);
    dead.stop();
    const answers = await edge.getMany(40);
    expect(answers.every(({ body }) => body === 'well')).toBe(true);
  });
});

describe('a server that is being checked', () => {
  it('is reached with the token, and by nobody else, also where there is a password', async () => {
    const edge = await startServedEdge();
    const [old, next] = [await startInstance('old'), await startInstance('new')];
    const probe = { token: 'secret', instances: [next.address] };
    for (const lock of [null, { key: 'AAAA' }]) {
      edge.publish([old.address], { probe, lock });
      expect((await edge.get('/', { 'X-Lilac-Probe': 'secret' })).body).toBe('new');
      expect((await edge.get('/', { 'X-Lilac-Probe': `secret.${next.address.id}` })).body).toBe('new');
      const stranger = await edge.get('/', { 'X-Lilac-Probe': `secret.${old.address.id}` });
      expect([stranger.status, stranger.headers['x-lilac-error']]).toEqual([503, 'SV002']);
      const other = await edge.get('/', { 'X-Lilac-Probe': 'guess' });
      expect([other.status, other.body === 'new']).toEqual([lock ? 401 : 200, false]);
    }
    expect(next.requests).toBe(4);
  });
});

describe('an edge that stops', () => {
  it('finishes what is under way at a server, and what waits for one', async () => {
    const edge = await startServedEdge();
    const { held, handler } = heldAnswers();
    const { address } = await startInstance('a', handler);
    edge.publish([address], { concurrency: 1 });
    const both = [edge.get(), edge.get()];
    await eventually('one is there, one waits', () => held.length === 1 && edge.gates.held === 1);
    const stopped = edge.stop(5000);
    held[0]!.end('one');
    await eventually('the other is there', () => held.length === 2);
    held[1]!.end('two');
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200]);
    await stopped;
  });
});

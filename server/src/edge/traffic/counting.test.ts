import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { latencyBucket } from '../../metrics/latency-histogram.ts';
import { MinuteBook } from '../../metrics/minute-book.ts';
import type { Route } from '../../routing/route.ts';
import { eventually } from '../../testing/eventually.ts';
import { startTestEdge } from '../../testing/start-test-edge.ts';
import { startEcho, startInstance } from '../instances/testing/start-instance.ts';
import { heldAnswers, host, startServedEdge } from '../instances/testing/start-served-edge.ts';
import { writeRelease } from '../testing/write-release.ts';
import type { AnswerCounts } from './counters.ts';
import { createTrafficRecorder } from './record-traffic.ts';
import type { Traffic } from './traffic.ts';

const LARGE = Buffer.alloc(3_000_000, 'x');
const anything = { answers: [0, 0, 0, 0, 0, 0] as AnswerCounts, requests: 0, bytesIn: 0, bytesOut: 0, timed: 0 };

/** Everything that was counted of an environment so far. */
function watch(traffic: Traffic, environmentId = 'env_1') {
  const sum = structuredClone(anything);
  const read = () => {
    traffic.drain((counters) => {
      expect(counters.environmentId).toBe(environmentId);
      counters.answers.forEach((count, digit) => (sum.answers[digit]! += count));
      sum.requests += counters.requests;
      sum.bytesIn += counters.bytesIn;
      sum.bytesOut += counters.bytesOut;
      sum.timed += counters.latencies?.reduce((all, count) => all + count, 0) ?? 0;
    });
    return sum;
  };
  return read;
}

async function startSite(rest: Partial<Route> = {}) {
  const edge = await startTestEdge(null, { holdMs: 50 });
  writeRelease(edge.paths.objects, { files: { '/index.html': 'home', '/large.bin': { content: LARGE } } });
  const target = { kind: 'static', artifactId: 'art_1', deploymentId: 'dep_1', revision: 1 } as const;
  edge.routes.set({
    environmentId: 'env_1',
    subdomain: 'shop',
    target,
    lock: null,
    accessLog: false,
    domain: null,
    atSubdomain: true,
    version: 1,
    ...rest,
  });
  const raw = async (text: string) => edge.sendRaw(text);
  return { ...edge, raw, counted: watch(edge.traffic) };
}

const request = (line: string, headers = '') =>
  `${line} HTTP/1.1\r\nHost: ${host}\r\n${headers}Connection: close\r\n\r\n`;

describe('of a site, the edge counts', () => {
  it.each([
    ['a page', request('GET /'), 2],
    ['the same without its body', request('HEAD /'), 2],
    ['a page that is not there', request('GET /nowhere'), 4],
    ['a large file', request('GET /large.bin'), 2],
    ['a part of it', request('GET /large.bin', 'Range: bytes=10-19\r\n'), 2],
    ['what may not be asked', `${request('POST /', 'Content-Length: 4\r\n')}body`, 4],
  ])('%s, once, with every byte', async (_what, text, digit) => {
    const edge = await startSite();
    // The second comes from memory, where there is room.
    for (let round = 1; round <= 2; round++) {
      const answer = await edge.raw(text);
      await eventually('it is counted', () => edge.counted().requests === round);
      expect(edge.counted().bytesOut).toBe(round * answer.length);
      expect(edge.counted()).toMatchObject({ bytesIn: round * text.length, timed: round });
      expect(edge.counted().answers[digit]).toBe(round);
    }
  });

  it('what is not new to the client', async () => {
    const edge = await startSite();
    const { headers } = await edge.call({ host });
    const before = edge.counted().bytesOut;
    const answer = await edge.raw(request('GET /', `If-None-Match: ${headers.etag}\r\n`));
    expect(edge.counted().answers).toEqual([0, 0, 1, 1, 0, 0]);
    expect(edge.counted().bytesOut - before).toBe(answer.length);
  });

  it('several requests of one connection, and each that was sent ahead', async () => {
    const edge = await startSite();
    const keep = `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    const text = keep + keep + request('GET /large.bin');
    const answer = await edge.raw(text);
    await eventually('all are counted', () => edge.counted().requests === 3);
    expect(edge.counted()).toMatchObject({ bytesIn: text.length, bytesOut: answer.length });
  });

  it('of a download that is broken off what was sent', async () => {
    const edge = await startSite();
    const socket = connect(edge.port, '127.0.0.1');
    socket.write(request('GET /large.bin'));
    await once(socket, 'data');
    socket.destroy();
    await eventually('it is over', () => edge.counted().requests === 1 && edge.counted().bytesOut > 0);
    expect(edge.counted().answers[2]).toBe(1);
  });

  it('the page that asks for a password, and what nothing is deployed at', async () => {
    const locked = await startSite({ lock: { key: Buffer.alloc(32).toString('base64url') } });
    const answer = await locked.raw(request('GET /'));
    expect(locked.counted()).toMatchObject({ answers: [0, 0, 0, 0, 1, 0], bytesOut: answer.length });
    const empty = await startSite({ target: null });
    await empty.raw(request('GET /'));
    expect(empty.counted().answers).toEqual([0, 0, 0, 0, 1, 0]);
  });

  it("nothing of what is nobody's, or the platform's own", async () => {
    const edge = await startSite();
    await edge.call({ host: 'nobody.apps.test' });
    await edge.call({ host: 'localhost' });
    await edge.raw('nonsense\r\n\r\n');
    expect(edge.counted()).toEqual(anything);
  });
});

describe('of a server, the edge counts', () => {
  it('requests and answers with their bytes, and how long the answer took to begin', async () => {
    const edge = await startServedEdge();
    const counted = watch(edge.traffic);
    const { held, handler } = heldAnswers();
    const { address } = await startInstance('a', handler);
    edge.publish([address]);
    const text = `${request('PUT /x', 'Content-Length: 5\r\n')}hello`;
    const answering = edge.sendRaw(text);
    await eventually('it is there', () => held.length === 1);
    expect(counted().requests).toBe(0);
    held[0]!.writeHead(201, { 'Content-Length': 8 }).write('begins');
    await eventually('it has begun', () => counted().requests === 1);
    held[0]!.end('--');
    const answer = await answering;
    await eventually('it is over', () => counted().bytesOut === answer.length);
    expect(counted()).toMatchObject({ answers: [0, 0, 1, 0, 0, 0], bytesIn: text.length, timed: 1 });
  });

  it('the pages that the edge says itself: asleep, crashed, broken off, not understood', async () => {
    const edge = await startServedEdge({ instanceHoldMs: 50 });
    const counted = watch(edge.traffic);
    edge.publish([]);
    const asleep = await edge.sendRaw(request('GET /'));
    edge.publish([], { outage: 'crashing' });
    const crashed = await edge.sendRaw(request('GET /'));
    const { address } = await startInstance('a', (asked) => asked.socket.destroy());
    edge.publish([address]);
    const broken = await edge.sendRaw(`${request('POST /', 'Content-Length: 1\r\n')}x`);
    expect(counted()).toMatchObject({ answers: [0, 0, 0, 0, 0, 3], timed: 3 });
    expect(counted().bytesOut).toBe(asleep.length + crashed.length + broken.length);
    await edge.sendRaw(`${request('POST /', 'Content-Length: 1\r\nExpect: a miracle\r\n')}x`);
    expect(counted().answers).toEqual([0, 0, 0, 0, 1, 3]);
  });

  it('clients that went before they were answered, and how long they waited, whether they had a place or waited for one', async () => {
    const edge = await startServedEdge();
    const counted = watch(edge.traffic);
    const { held, handler } = heldAnswers();
    const { address } = await startInstance('a', handler);
    edge.publish([address], { concurrency: 1 });
    const sockets = [1, 2].map(() => edge.openRaw(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`));
    await eventually('one is there, and one waits', () => held.length === 1 && edge.gates.held === 1);
    for (const socket of sockets) socket.destroy();
    await eventually('both are counted', () => counted().requests === 2);
    expect(counted()).toMatchObject({ answers: [2, 0, 0, 0, 0, 0], timed: 2 });
  });

  it('no check of a release, but whoever only says that it is one', async () => {
    const edge = await startServedEdge();
    const counted = watch(edge.traffic);
    const { address } = await startInstance('a');
    edge.publish([address], { probe: { token: 'secret', instances: [address] } });
    expect((await edge.get('/', { 'X-Lilac-Probe': 'secret' })).status).toBe(200);
    expect((await edge.get('/', { 'X-Lilac-Probe': 'secret.a' })).status).toBe(200);
    expect(counted()).toEqual(anything);
    await edge.get('/', { 'X-Lilac-Probe': 'guessed' });
    expect(counted().requests).toBe(1);
  });

  it('a tunnel when it opens, without the time it lasts, and its bytes while it does', async () => {
    const edge = await startServedEdge();
    const counted = watch(edge.traffic);
    edge.publish([await startEcho('a')]);
    const head = `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n`;
    const socket = edge.openRaw(head);
    let received = 0;
    socket.on('data', (bytes) => (received += bytes.length));
    await eventually('it is open', () => counted().requests === 1);
    socket.write('hello');
    await eventually('it is told back', () => received > 5);
    await eventually('its bytes are counted though it goes on', () => counted().bytesOut === received);
    expect(counted()).toMatchObject({ answers: [0, 1, 0, 0, 0, 0], bytesIn: head.length + 5, timed: 1 });
    socket.destroy();
  });
});

it('brings what was counted into the book of its minute, with a row that says that it watched', async () => {
  const edge = await startSite();
  const book = new MinuteBook();
  const collect = createTrafficRecorder(edge.traffic, book);
  collect(7);
  await edge.call({ host });
  collect(8);
  const [quiet, own, platform] = book.takeChanged();
  expect(quiet).toMatchObject({ environmentId: '', minute: 7, traffic: { requests: 0 } });
  expect(own).toMatchObject({ environmentId: 'env_1', minute: 8, traffic: { requests: 1 } });
  expect(own!.traffic!.latencies!.slice(0, latencyBucket(1000)).reduce((sum, count) => sum + count, 0)).toBe(1);
  expect(platform).toMatchObject({ environmentId: '', minute: 8, traffic: { requests: 1 } });
});

import { once } from 'node:events';
import { constants } from 'node:http2';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { instancesOf } from './instances/testing/gate-rig.ts';
import { startInstance } from './instances/testing/start-instance.ts';
import { heldAnswers } from './instances/testing/start-served-edge.ts';
import { listenAs } from './lock/testing/listen-as.ts';
import { frame, webSocketInstance } from './proxy/testing/web-socket.ts';
import { GOING_AWAY } from './proxy/web-socket-frames.ts';
import { APP, DOMAIN, LARGE, startSecureEdge } from './tls/testing/start-secure-edge.ts';

const head = (host: string, path = '/', rest = '') => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${rest}\r\n`;

/** An edge whose instance holds every answer; the connection for one of its names is good for both. */
async function startHeld() {
  const { held, handler } = heldAnswers();
  const instance = await startInstance('ins_1', handler);
  const target = { ...instancesOf([], { concurrency: 50 }), instances: [instance.address] };
  const edge = await startSecureEdge(null, { route: { target } });
  edge.names.covered.add(APP).add(DOMAIN);
  const beginAll = async (count: number) => {
    await eventually('all are asked', () => held.length === count);
    for (const answer of held) answer.write('begun');
  };
  return { ...edge, instance, held, beginAll, publish: (change: object) => edge.publish({ target, ...change }) };
}

/** Reads what comes until nothing more does, however it ends. How many bytes that were. */
function readOut(socket: Socket): Promise<number> {
  let size = 0;
  socket
    .on('error', () => {})
    .on('data', (bytes: Buffer) => (size += bytes.length))
    .resume();
  return new Promise((resolve) => socket.once('close', () => resolve(size)));
}

describe('what is under way by a name that is taken away ends at once, and the rest goes on', () => {
  it('in streams of one HTTP/2 connection, answers and uploads', async () => {
    const edge = await startHeld();
    const { open, get } = await edge.session(DOMAIN);
    const [lost, upload] = [open({}), open({ ':method': 'POST' }, true)];
    upload.write('some');
    await eventually('the first are asked', () => edge.held.length === 2);
    const kept = open({ ':authority': APP });
    await edge.beginAll(3);
    edge.publish({ domain: null });
    await eventually('they are over', () => lost.closed && upload.closed);
    // Not as an answer that is whole.
    expect([lost.rstCode, upload.rstCode]).not.toContain(constants.NGHTTP2_NO_ERROR);
    await eventually('the instance knows', () => edge.instance.inFlight === 1);
    edge.held[2]!.end(' and ended');
    expect(await text(kept)).toBe('begun and ended');
    expect((await get()).status).toBe(404);
  });

  it('by HTTP/1.1, with and without TLS, also where nothing is answered yet', async () => {
    const edge = await startHeld();
    const bodyless = (host: string) => [
      head(host),
      `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 9\r\n\r\nsome`,
    ];
    const lost: Socket[] = [];
    for (const bytes of bodyless(DOMAIN)) {
      const secure = await edge.shake(DOMAIN);
      secure.write(bytes);
      lost.push(secure, edge.openRaw(bytes));
    }
    await eventually('they are asked', () => edge.held.length === 4);
    const kept = edge.openRaw(head(APP, '/', 'Connection: close\r\n'));
    await eventually('the other is asked', () => edge.held.length === 5);
    edge.held[0]!.write('begun');
    const over = Promise.all(lost.map(readOut));
    edge.publish({ domain: null });
    await over;
    await eventually('the instance knows', () => edge.instance.inFlight === 1);
    edge.held[4]!.end('whole');
    expect(await text(kept)).toMatch(/whole/);
  });

  it('when another environment takes it over, or the generated name is switched off', async () => {
    const edge = await startHeld();
    const [byDomain, byApp] = [await edge.session(DOMAIN), await edge.session(APP)];
    const streams = [byDomain.open({}), byApp.open({})] as const;
    await edge.beginAll(2);
    edge.publish({ domain: DOMAIN, atSubdomain: false });
    await eventually('one is over', () => streams[1].closed);
    expect(streams[0].closed).toBe(false);
    edge.publish({ environmentId: 'env_2', subdomain: 'other', domain: DOMAIN });
    await eventually('so is the other', () => streams[0].closed);
  });

  it('but the check of a release by a generated name that is switched off goes on', async () => {
    const edge = await startHeld();
    const target = { ...instancesOf([]), instances: [edge.instance.address] };
    const probe = { token: 'a-long-token', instances: target.instances };
    edge.publish({ target: { ...target, probe } });
    const answer = edge.call({ host: APP, headers: { 'x-lilac-probe': 'a-long-token' } });
    await eventually('it is asked', () => edge.held.length === 1);
    edge.publish({ target: { ...target, probe }, atSubdomain: false });
    edge.held[0]!.end('well');
    expect((await answer).body).toBe('well');
  });

  it('WebSockets are told that it goes away', async () => {
    const server = webSocketInstance((socket) => void socket.write(frame('hello')));
    const target = { ...instancesOf([], { concurrency: 50 }), instances: [await listenAs('ins_1', server)] };
    const edge = await startSecureEdge(null, { route: { target } });
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n';
    const socket = await edge.shake(DOMAIN);
    let seen = Buffer.alloc(0);
    socket.on('data', (bytes: Buffer) => (seen = Buffer.concat([seen, bytes])));
    socket.write(head(DOMAIN, '/', upgrade));
    await eventually('it is open', () => seen.includes('hello'));
    edge.publish({ target, domain: null });
    await once(socket, 'end');
    expect(seen.subarray(-GOING_AWAY.length)).toEqual(GOING_AWAY);
  });

  it('files too, whoever sends them', async () => {
    const edge = await startSecureEdge();
    // More than fits into what the kernel holds for a client that does not read.
    const files = head(DOMAIN, '/large.bin').repeat(8);
    const byFront = edge.openRaw(files).pause();
    const byNode = edge.openRaw(`POST / HTTP/1.1\r\nHost: ${DOMAIN}\r\nContent-Length: 0\r\n\r\n${files}`).pause();
    const { open } = await edge.session(DOMAIN);
    const stream = open({ ':path': '/large.bin' }).pause();
    await Promise.all([once(byFront, 'readable'), once(byNode, 'readable'), once(stream, 'response')]);
    edge.publish({ domain: null });
    for (const size of await Promise.all([byFront, byNode].map(readOut))) expect(size).toBeLessThan(8 * LARGE.length);
    await eventually('the stream is over', () => stream.closed);
    expect(stream.rstCode).not.toBe(constants.NGHTTP2_NO_ERROR);
  });
});

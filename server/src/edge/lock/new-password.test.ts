import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { RouteLock } from '../../routing/route.ts';
import { unlockMac } from '../../routing/unlock-mac.ts';
import { eventually } from '../../testing/eventually.ts';
import { startEcho, startInstance } from '../instances/testing/start-instance.ts';
import { heldAnswers, host, startServedEdge } from '../instances/testing/start-served-edge.ts';
import { FrameReader, frame, webSocketInstance } from '../proxy/testing/web-socket.ts';
import { listenAs } from './testing/listen-as.ts';

const lockOf = (fill: number): RouteLock => ({ key: Buffer.alloc(32, fill).toString('base64url') });
const [first, second] = [lockOf(1), lockOf(2)];
const expiry = Math.floor(Date.now() / 1000) + 600;
const cookieOf = (lock: RouteLock) => `lilac_unlock=${expiry}.${unlockMac(lock, 'env_1', expiry)}`;
const upgrade = (protocol: string) =>
  `GET / HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookieOf(first)}\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\nSec-WebSocket-Key: x\r\n\r\n`;
const streamHead = `GET / HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookieOf(first)}\r\n\r\n`;
const events = (_request: unknown, response: ServerResponse) => {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  response.write('data: one\n\n');
};

/** Before there was a password, and with an older one. */
describe.each([
  ['a first password', null],
  ['a new password', first],
])('%s', (_name, before) => {
  it('ends WebSockets with 1001, and the place is free', async () => {
    const edge = await startServedEdge();
    const address = await listenAs(
      'a',
      webSocketInstance((socket) => void socket.write(frame('hello'))),
    );
    edge.publish([address], { lock: before });
    const { frames, socket } = await openFrames(edge.openRaw(upgrade('websocket')));
    await eventually('it speaks', () => frames.frames.length === 1);
    edge.publish([address], { lock: second });
    await closed(socket);
    expect(frames.frames[1]).toEqual({ opcode: 8, payload: Buffer.from([0x03, 0xe9]) });
    expect(edge.gates.load().instances).toEqual({});
  });

  it('ends other tunnels, for which there are no words', async () => {
    const edge = await startServedEdge();
    const address = await startEcho('a');
    edge.publish([address], { lock: before });
    const socket = edge.openRaw(upgrade('echo'));
    await once(socket, 'data');
    edge.publish([address], { lock: second });
    await closed(socket);
    expect(edge.gates.load().instances).toEqual({});
  });

  it('cuts an event stream', async () => {
    const edge = await startServedEdge();
    const instance = await startInstance('a', events);
    edge.publish([instance.address], { lock: before });
    const socket = edge.openRaw(streamHead);
    await once(socket, 'data');
    edge.publish([instance.address], { lock: second });
    await closed(socket);
    await eventually('the instance knows', () => instance.inFlight === 0);
    expect(edge.gates.load().instances).toEqual({});
  });
});

describe('a connection that has asked for something else before', () => {
  it.each([
    ['an event stream', streamHead, () => startInstance('a', events).then(({ address }) => address)],
    ['a tunnel', upgrade('echo'), () => startEcho('a')],
  ])('is shut out of %s as any other', async (_name, head, start) => {
    const edge = await startServedEdge({}, (_request, response) => response.end('api'));
    const address = await start();
    edge.publish([address], { lock: first });
    const socket = edge.openRaw('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(socket, 'data');
    socket.write(head);
    await once(socket, 'data');
    edge.publish([address], { lock: second });
    await closed(socket);
    expect(edge.gates.load().instances).toEqual({});
  });
});

describe('a route that changes', () => {
  it('cuts nothing where the password stays, or is taken away', async () => {
    const edge = await startServedEdge();
    const streams: ServerResponse[] = [];
    const instance = await startInstance('a', (request, response) => {
      events(request, response);
      streams.push(response);
    });
    edge.publish([instance.address], { lock: first });
    const socket = edge.openRaw(streamHead);
    let heard = '';
    socket.on('data', (bytes: Buffer) => (heard += bytes.toString()));
    await eventually('it has begun', () => heard.includes('one'));
    edge.publish([instance.address], { lock: first, concurrency: 3 });
    edge.publish([instance.address], { lock: null });
    streams[0]!.write('data: two\n\n');
    await eventually('it goes on', () => heard.includes('two'));
    expect(instance.inFlight).toBe(1);
    socket.destroy();
  });

  it('lets requests that wait for their answer have it', async () => {
    const edge = await startServedEdge();
    const { held, handler } = heldAnswers();
    const { address } = await startInstance('a', handler);
    edge.publish([address], { lock: first });
    const waiting = edge.get('/', { Cookie: cookieOf(first) });
    await eventually('it is there', () => held.length === 1);
    edge.publish([address], { lock: second });
    held[0]!.end('answer');
    expect(await waiting).toMatchObject({ status: 200, body: 'answer' });
    expect((await edge.get('/', { Cookie: cookieOf(first) })).status).toBe(401);
  });
});

async function openFrames(socket: Socket) {
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  const frames = new FrameReader(socket);
  frames.take(bytes.subarray(bytes.indexOf('\r\n\r\n') + 4));
  return { socket, frames };
}

async function closed(socket: Socket): Promise<void> {
  socket.on('error', () => {});
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve).resume());
}

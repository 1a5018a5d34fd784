import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { frame, FrameReader, handshake, webSocketInstance } from './testing/web-socket.ts';
import { HOST, rawInstance, readAll, startProxy } from './testing/start-proxy.ts';

const get = `GET / HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`;
const seconds = (count: number) => count * 1000;

afterEach(() => vi.useRealTimers());

/** The clock of the limits goes on; everything else runs as it is. */
function letTimePass(ms: number): void {
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: now + ms });
}

describe('an exchange on which nothing moves', () => {
  it('504 when no answer comes, and the instance is let go', async () => {
    const instance = rawInstance(() => {});
    const proxy = await startProxy(instance);
    const answer = proxy.sendRaw(get);
    await eventually('it is asked', () => instance.heads.length === 1);
    letTimePass(seconds(61));
    expect(await answer).toMatch(/^HTTP\/1\.1 504 [\s\S]*"SV005"/);
    expect(proxy.gate.outcomes).toMatchObject([{ status: 504 }]);
    expect(proxy.gate.pool.counts.open).toBe(0);
  });

  it('408 when the body does not come', async () => {
    const instance = rawInstance(() => {});
    const proxy = await startProxy(instance);
    const answer = proxy.sendRaw(`POST / HTTP/1.1\r\n${HOST}Content-Length: 5\r\n\r\nhal`);
    await eventually('it is asked', () => instance.heads.length === 1);
    letTimePass(seconds(61));
    expect(await answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(proxy.gate.outcomes).toMatchObject([{ status: 408 }]);
  });

  it.each([
    ['408 when its body only drips, however steadily', 100, /^HTTP\/1\.1 408 /],
    ['lives on when its body comes slowly, but comes', 60_000, /^HTTP\/1\.1 200 /],
  ])('%s', async (_what, bytes, expected) => {
    let received = 0;
    const instance = createServer((request, response) => {
      request.on('data', (piece: Buffer) => (received += piece.length));
      request.on('end', () => response.end('whole')).on('error', () => {});
    });
    const proxy = await startProxy(instance);
    const socket = proxy.openRaw(`POST / HTTP/1.1\r\n${HOST}Connection: close\r\nContent-Length: ${2 * bytes}\r\n\r\n`);
    const answer = readAll(socket);
    for (const half of [bytes, bytes - 1]) {
      socket.write(Buffer.alloc(half));
      const before = received;
      await eventually('it has come', () => received === before + half);
      letTimePass(seconds(40));
      await ticks(1);
    }
    socket.write('x');
    expect(await answer).toMatch(expected);
    expect(proxy.gate.inFlight).toBe(0);
  });

  it('lives on when it is a stream of events with a quiet hour, and ends when it is longer', async () => {
    const proxy = await startProxy(createServer((_request, response) => response.writeHead(200).flushHeaders()));
    const socket = proxy.openRaw(get);
    await once(socket, 'data');
    letTimePass(seconds(3700));
    await ticks(3);
    expect(proxy.gate.inFlight).toBe(1);
    letTimePass(seconds(4000));
    await eventually('it is over', () => proxy.gate.inFlight === 0);
  });

  it('ends when it is a tunnel on which nothing came either way for an hour, and the client is told', async () => {
    const sockets: Duplex[] = [];
    const proxy = await startProxy(webSocketInstance((socket) => void sockets.push(socket)));
    const client = proxy.openRaw(handshake());
    await once(client, 'data');
    const frames = new FrameReader(client);
    const pass = async (ms: number) => {
      letTimePass(ms);
      await ticks(2);
    };
    await pass(seconds(3500));
    sockets[0]!.write(frame('from the instance'));
    await eventually('it came', () => frames.frames.length === 1);
    await pass(seconds(3500));
    client.write(frame('from the client', { isMasked: true }));
    await once(sockets[0]!, 'data');
    await pass(seconds(3500));
    expect(proxy.gate.inFlight).toBe(1);
    letTimePass(seconds(200));
    await eventually('it is over', () => proxy.gate.inFlight === 0);
    await eventually('it is told', () => frames.frames.length === 2);
    expect(frames.frames[1]!.payload.readUInt16BE(0)).toBe(1001);
  });

  it('is broken off when the client takes nothing of its answer', async () => {
    const proxy = await startProxy(createServer((_request, response) => response.end(Buffer.alloc(100_000_000))));
    const socket = proxy.openRaw(get);
    await once(socket, 'data');
    socket.pause();
    await ticks(1);
    letTimePass(seconds(130));
    await eventually('it is over', () => proxy.gate.inFlight === 0);
    expect(proxy.gate.outcomes).toMatchObject([{ status: 200 }]);
  });
});

describe('stopping', () => {
  it('lets exchanges that are under way finish, and says that they are the last', async () => {
    const held = Promise.withResolvers<() => void>();
    const proxy = await startProxy(createServer((_request, response) => held.resolve(() => response.end('whole'))));
    const answer = readAll(proxy.openRaw(get.replace('Connection: close\r\n', '')));
    const finish = await held.promise;
    proxy.front.stop();
    proxy.front.closeIdle();
    finish();
    expect(await answer).toMatch(/Connection: close\r\n[\s\S]*whole$/);
  });
});

/** As long as it takes the front to look at its limits so often. */
function ticks(count: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, count * 1050));
}

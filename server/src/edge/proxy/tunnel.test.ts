import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createNetServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { drain } from '../drain.ts';
import { HOST, rawInstance, readAll, startProxy } from './testing/start-proxy.ts';
import { frame, FrameReader, handshake, webSocketInstance } from './testing/web-socket.ts';

const upgrade = (protocol: string) => `GET / HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`;
const masked = (payload: Buffer | string) => frame(payload, { isMasked: true });

/** An instance that says back what it hears. */
function echo() {
  return webSocketInstance((socket, frames) => {
    frames.onFrame = ({ opcode, payload }) => socket.write(frame(payload, { opcode }));
  });
}

/** A client behind its handshake. */
async function connectTo(proxy: Awaited<ReturnType<typeof startProxy>>) {
  const socket = proxy.openRaw(handshake());
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  const end = bytes.indexOf('\r\n\r\n') + 4;
  const frames = new FrameReader(socket);
  frames.take(bytes.subarray(end));
  return { socket, frames, head: bytes.subarray(0, end).toString() };
}

describe('a WebSocket', () => {
  it('goes through, both ways, whatever the size of its messages', async () => {
    const proxy = await startProxy(echo());
    const { socket, frames, head } = await connectTo(proxy);
    expect(head).toMatch(
      /^HTTP\/1\.1 101 Switching Protocols\r\n[\s\S]*Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n$/,
    );
    const messages = ['', 'x', 'x'.repeat(125), 'x'.repeat(126), 'x'.repeat(65_536)].map((text) => Buffer.from(text));
    messages.push(randomBytes(3_000_000));
    for (const message of messages) socket.write(masked(message));
    await eventually('all came back', () => frames.frames.length === messages.length);
    frames.frames.forEach(({ payload }, at) => expect(payload.equals(messages[at]!)).toBe(true));
    expect(proxy.gate.inFlight).toBe(1);
    socket.end();
    await eventually('the place is free', () => proxy.gate.inFlight === 0);
    expect(proxy.gate.outcomes).toMatchObject([{ status: 101 }]);
    expect(proxy.gate.outcomes[0]!.bytesIn).toBeGreaterThan(3_000_000);
  });

  it('may be spoken on before it is there', async () => {
    const proxy = await startProxy(echo());
    const socket = proxy.openRaw(Buffer.concat([Buffer.from(handshake()), masked('early')]));
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    const frames = new FrameReader(socket);
    frames.take(bytes.subarray(bytes.indexOf('\r\n\r\n') + 4));
    await eventually('it came back', () => frames.frames.length === 1);
    expect(frames.frames[0]!.payload.toString()).toBe('early');
  });

  it('that the instance does not want is an ordinary request', async () => {
    const proxy = await startProxy(
      rawInstance((socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno')),
    );
    const answer = await proxy.sendRaw(`${handshake()}GET / HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`);
    expect(answer.match(/\r\n\r\nno/g)).toHaveLength(2);
  });

  it('ends with its instance', async () => {
    const proxy = await startProxy(webSocketInstance((socket) => void setTimeout(() => socket.destroy(), 50)));
    const { socket } = await connectTo(proxy);
    socket.on('end', () => socket.end());
    await closed(socket);
    await eventually('the place is free', () => proxy.gate.inFlight === 0);
    expect(proxy.gate.outcomes).toMatchObject([{ status: 101 }]);
  });

  it('is told when its instance is retired, between two messages', async () => {
    const proxy = await startProxy(echo());
    const { socket, frames } = await connectTo(proxy);
    socket.write(masked('hello'));
    await eventually('it came back', () => frames.frames.length === 1);
    socket.on('end', () => socket.end());
    proxy.gate.pool.retire();
    await closed(socket);
    expect(frames.frames[1]).toEqual({ opcode: 8, payload: Buffer.from([0x03, 0xe9]) });
    expect(proxy.gate).toMatchObject({ inFlight: 0, outcomes: [{ status: 101 }] });
    expect(proxy.gate.pool.counts).toEqual({ open: 0, idle: 0 });
  });

  it('is told so only where a message ends', async () => {
    const message = frame('0123456789'.repeat(50));
    const opened = Promise.withResolvers<{ write(bytes: Buffer): void }>();
    const proxy = await startProxy(webSocketInstance((socket) => opened.resolve(socket)));
    const { socket, frames } = await connectTo(proxy);
    socket.on('end', () => socket.end());
    const instance = await opened.promise;
    let received = 0;
    socket.on('data', (bytes: Buffer) => (received += bytes.length));
    instance.write(message.subarray(0, 3));
    await eventually('its beginning is here', () => received === 3);
    proxy.gate.pool.retire();
    // Tunnels are told a little later.
    await new Promise((resolve) => setTimeout(resolve, 1));
    instance.write(Buffer.concat([message.subarray(3), frame('one more').subarray(0, 4)]));
    await closed(socket);
    expect(frames.frames.map(({ opcode }) => opcode)).toEqual([1, 8]);
    expect(frames.frames[0]!.payload).toHaveLength(500);
  });

  it('does not keep an edge from ending', async () => {
    const proxy = await startProxy(echo());
    const { socket, frames } = await connectTo(proxy);
    socket.on('end', () => socket.end());
    proxy.front.stop();
    await drain({ server: proxy.server, front: proxy.front, drainMs: 60_000 });
    expect(frames.frames).toEqual([{ opcode: 8, payload: Buffer.from([0x03, 0xe9]) }]);
  });
});

describe('another upgrade', () => {
  it('is a tunnel with two ends that end one by one', async () => {
    const proxy = await startProxy(
      createNetServer({ allowHalfOpen: true }, (socket) => {
        socket.once('data', () =>
          socket.write('HTTP/1.1 101 Fine\r\nUpgrade: mine\r\nConnection: upgrade\r\n\r\nhello'),
        );
        socket.on('end', () => socket.end('goodbye'));
      }),
    );
    const socket = proxy.openRaw(upgrade('mine'));
    await once(socket, 'data');
    socket.end();
    expect(await readAll(socket)).toMatch(/goodbye$/);
    await eventually('the place is free', () => proxy.gate.inFlight === 0);
  });

  it('to HTTP/2 is not passed on: its requests would go past the edge', async () => {
    const instance = rawInstance((socket) => void socket.write('HTTP/1.1 204 No\r\n\r\n'));
    const proxy = await startProxy(instance);
    const socket = proxy.openRaw(upgrade('h2c'));
    await once(socket, 'data');
    socket.destroy();
    expect(instance.heads[0]).not.toMatch(/upgrade/i);
  });
});

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { UpstreamPool } from './upstream-pool.ts';
import { HOST, rawInstance, readAll, startProxy } from './testing/start-proxy.ts';

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\n${HOST}${headers}\r\n`;
const post = (path: string, headers = '') => `POST ${path} HTTP/1.1\r\n${HOST}Content-Length: 4\r\n${headers}\r\nbody`;
const last = 'Connection: close\r\n';
const whole = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello';

describe('an instance that speaks before it is asked', () => {
  it.each([
    ['an answer that has no end yet', 'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nstranger'],
    ['a whole answer', 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'],
  ])('%s is nobody’s, and the request is sent on another connection', async (_what, unasked) => {
    const sockets: Socket[] = [];
    const proxy = await startProxy(
      rawInstance((socket) => {
        if (!sockets.includes(socket)) sockets.push(socket);
        socket.write(whole);
      }),
    );
    expect(await proxy.sendRaw(get('/first', last))).toMatch(/hello$/);
    // A connection that was idle for a while is looked at again before anything is written to it.
    await delay(120);
    proxy.gate.isClosed = true;
    const answer = proxy.sendRaw(get('/second', last));
    await eventually('it waits', () => proxy.gate.waiting.size > 0);
    sockets[0]!.write(unasked);
    proxy.gate.open();
    expect(await answer).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*hello$/);
    expect(sockets).toHaveLength(2);
  });
});

describe('an instance that ends', () => {
  it('before it has answered: 502, and the connection goes on', async () => {
    const proxy = await startProxy(
      rawInstance((socket, head) => (head.includes('/dies') ? socket.destroy() : socket.write(whole))),
    );
    const answer = await proxy.sendRaw(post('/dies') + get('/', last));
    expect(answer).toMatch(/^HTTP\/1\.1 502 [\s\S]*"SV004"[\s\S]*HTTP\/1\.1 200 OK[\s\S]*hello$/);
    expect(proxy.gate.outcomes).toMatchObject([{ status: 502 }, { status: 200 }]);
  });

  it('is shown to a browser as a page', async () => {
    const proxy = await startProxy(rawInstance((socket) => socket.destroy()));
    expect(await proxy.sendRaw(get('/', `Accept: text/html\r\n${last}`))).toMatch(/^HTTP\/1\.1 502 [\s\S]*<html/);
  });

  it.each([
    ['in the head', 'HTTP/1.1 200 OK\r\nContent-'],
    ['in a body with a length', 'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello'],
    ['in chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n'],
    ['before the last line of the chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n'],
  ])('%s: half an answer is never taken for a whole one', async (_what, answer) => {
    const proxy = await startProxy(rawInstance((socket) => void socket.end(answer)));
    const socket = proxy.openRaw(get('/', last));
    let received = '';
    socket.on('data', (bytes: Buffer) => (received += bytes.toString()));
    await closed(socket.on('end', () => socket.end()));
    const isHalf = received.startsWith('HTTP/1.1 502') ? !answer.includes('\r\n\r\n') : !received.endsWith('0\r\n\r\n');
    expect(isHalf).toBe(true);
    await eventually('the place is free', () => proxy.gate.inFlight === 0);
    expect(proxy.gate.outcomes).toHaveLength(1);
  });

  it('with a reset in an answer that ends with the connection: the client sees a reset too', async () => {
    const proxy = await startProxy(
      rawInstance((socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\nhello');
        setTimeout(() => socket.resetAndDestroy(), 50);
      }),
    );
    const socket = proxy.openRaw(`GET / HTTP/1.0\r\n${HOST}\r\n`);
    socket.resume();
    let hasEnded = false;
    socket.on('end', () => (hasEnded = true));
    await closed(socket);
    expect(hasEnded).toBe(false);
  });

  it.each([
    'nonsense\r\n\r\n',
    'HTTP/2 200 OK\r\n\r\n',
    'HTTP/1.1 200 OK\nContent-Length: 0\n\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx',
    'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
    'HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 0\r\n\r\n',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    'HTTP/1.1 100 Continue\r\n\r\n'.repeat(100),
    `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`,
  ])('502 for an answer that is none: %j', async (answer) => {
    const proxy = await startProxy(rawInstance((socket) => void socket.write(answer)));
    expect(await proxy.sendRaw(get('/', last))).toMatch(/^HTTP\/1\.1 502 [\s\S]*"SV004"/);
    expect(proxy.gate.pool.counts).toEqual({ open: 0, idle: 0 });
  });

  it('with bytes that nobody has asked for is not asked again on that connection', async () => {
    const proxy = await startProxy(rawInstance((socket) => void socket.write(`${whole}HTTP/1.1 200 OK\r\n\r\nevil`)));
    const answer = await proxy.sendRaw(get('/') + get('/', last));
    expect(answer.match(/hello/g)).toHaveLength(2);
    expect(answer).not.toContain('evil');
  });
});

describe('nobody listens', () => {
  it('and the request is given another place, with its body', async () => {
    const proxy = await startProxy(
      createServer((request, response) => void text(request).then((body) => response.end(`<${body}>`))),
    );
    const { gate } = proxy;
    const listening = gate.pool;
    gate.pool = new UpstreamPool({ ...listening.address, port: 1 });
    gate.onRefusal = () => (gate.pool = listening);
    gate.maxRefusals = 1;
    gate.isClosed = true;
    const answer = proxy.sendRaw(post('/', last));
    await eventually('it waits', () => gate.waiting.size === 1);
    gate.open();
    expect(await answer).toContain('<body>');
    expect(gate).toMatchObject({ refusals: 1, inFlight: 0 });
  });

  it('and 503 when there is none', async () => {
    const proxy = await startProxy(createServer());
    proxy.gate.pool = new UpstreamPool({ ...proxy.gate.pool.address, port: 1 });
    expect(await proxy.sendRaw(post('/') + get('/', last))).toMatch(/^HTTP\/1\.1 503 [\s\S]*HTTP\/1\.1 503 /);
    expect(proxy.gate.outcomes).toEqual([]);
  });
});

const farewells: [string, (socket: Socket) => unknown][] = [
  ['it resets', (socket) => socket.resetAndDestroy()],
  ['it ends its half', (socket) => socket.end()],
  ['it closes', (socket) => socket.end().destroy()],
];

describe('a client that goes away', () => {
  it.each(farewells)('while it waits, waits no more: %s', async (_how, leave) => {
    const proxy = await startProxy(rawInstance((socket) => void socket.write(whole)));
    proxy.gate.isClosed = true;
    const socket = proxy.openRaw(get('/'));
    await eventually('it waits', () => proxy.gate.waiting.size === 1);
    leave(socket);
    await eventually('it waits no more', () => proxy.gate.waiting.size === 0);
    expect(proxy.gate.outcomes).toEqual([]);
  });

  it.each(farewells)('before the answer takes the connection to the instance with it: %s', async (_how, leave) => {
    const asked = Promise.withResolvers<Socket>();
    const proxy = await startProxy(rawInstance((socket) => asked.resolve(socket)));
    const client = proxy.openRaw(get('/'));
    const instance = await asked.promise;
    leave(client);
    await closed(instance.on('end', () => instance.end()));
    expect(proxy.gate.outcomes).toMatchObject([{ status: 0 }]);
  });

  it('in the middle of its body: the instance gets no whole one', async () => {
    const events: string[] = [];
    const proxy = await startProxy(
      createServer((request) => {
        request.on('data', () => events.push('data'));
        request.on('end', () => events.push('end'));
        request.on('error', () => events.push('error'));
      }),
    );
    const client = proxy.openRaw(`POST / HTTP/1.1\r\n${HOST}Content-Length: 100\r\n\r\nhalf`);
    await eventually('the instance has its half', () => events.includes('data'));
    client.end();
    await eventually('the instance knows', () => events.includes('error'));
    expect(events).not.toContain('end');
    await eventually('the place is free', () => proxy.gate.inFlight === 0);
  });
});

describe('a slow client', () => {
  it('makes the instance wait, not the edge keep: 200 MB', { timeout: 60_000 }, async () => {
    const piece = Buffer.alloc(1_000_000);
    let written = 0;
    const proxy = await startProxy(
      createServer((_request, response) => {
        response.writeHead(200, { 'Content-Length': 200 * piece.length });
        const fill = () => {
          while (written < 200 && response.write(piece)) written++;
          if (written < 200) response.once('drain', fill);
        };
        fill();
      }),
    );
    const socket = proxy.openRaw(get('/', last));
    await once(socket, 'data');
    socket.pause();
    const before = process.memoryUsage().arrayBuffers;
    await whenSteady(() => written);
    expect(written).toBeLessThan(50);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
    let received = 0;
    socket.on('data', (bytes: Buffer) => (received += bytes.length));
    socket.resume();
    await once(socket, 'end');
    socket.end();
    expect(received).toBeGreaterThan(199 * piece.length);
    expect(proxy.gate.outcomes).toMatchObject([{ status: 200 }]);
  });

  it('does not hold the instance for a last piece that it has not taken', async () => {
    const body = Buffer.alloc(3_000_000);
    const proxy = await startProxy(createServer((_request, response) => response.end(body)));
    const socket = proxy.openRaw(get('/', last));
    await once(socket, 'data');
    let received = 0;
    socket.on('data', (bytes: Buffer) => (received += bytes.length));
    await once(socket, 'end');
    expect(received).toBeGreaterThan(body.length - 70_000);
  });

  it('that sends faster than the instance reads is held back', async () => {
    const asked = Promise.withResolvers<void>();
    const proxy = await startProxy(
      createServer((request, response) => {
        asked.resolve();
        void release.promise.then(() => buffer(request)).then((body) => response.end(`${body.length} bytes`));
      }),
    );
    const release = Promise.withResolvers<void>();
    const total = 50_000_000;
    const socket = proxy.openRaw(`POST / HTTP/1.1\r\n${HOST}Content-Length: ${total}\r\n${last}\r\n`);
    await asked.promise;
    const before = process.memoryUsage().arrayBuffers;
    const piece = Buffer.alloc(100_000);
    let sent = 0;
    const fill = () => {
      while (sent < total && socket.write(piece)) sent += piece.length;
      if (sent < total) socket.once('drain', () => ((sent += piece.length), fill()));
    };
    fill();
    await whenSteady(() => sent);
    expect(sent).toBeLessThan(total);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
    release.resolve();
    expect(await readAll(socket)).toContain(`${total} bytes`);
  });
});

/** However it ends. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

/** A number that has stopped growing. */
async function whenSteady(read: () => number): Promise<number> {
  for (let seen = read(); ; seen = read()) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    if (read() <= seen) return seen;
  }
}

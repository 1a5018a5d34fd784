import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { HOST, rawInstance, readAll, startProxy } from './testing/start-proxy.ts';

const get = `GET / HTTP/1.1\r\n${HOST}\r\n`;
const whole = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello';

describe('a client that has ended its half', () => {
  it('waits no more, and has the answers that were before it', async () => {
    const proxy = await startProxy(
      rawInstance((socket) => {
        proxy.gate.isClosed = true;
        setTimeout(() => socket.write(whole), 100);
      }),
    );
    const socket = proxy.openRaw('');
    socket.end(get + get);
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*hello$/);
    expect(proxy.gate.waiting.size).toBe(0);
  });

  it('is answered all the same', async () => {
    const proxy = await startProxy(
      createServer((_request, response) => void setTimeout(() => response.end('answer'), 100)),
    );
    const socket = proxy.openRaw('');
    socket.end(get);
    expect(await readAll(socket)).toMatch(/answer$/);
  });
});

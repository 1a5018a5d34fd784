import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createRawServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { HOST, startProxy } from './testing/start-proxy.ts';

const head = `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n`;
const tiny = '1;a\r\nx\r\n';
const end = '0\r\n\r\n';

describe('a body with chunk extensions', () => {
  it('comes whole, without them', async () => {
    const proxy = await startProxy(
      createServer((request, response) => void count(request).then((said) => response.end(said))),
    );
    expect(await proxy.sendRaw(head + tiny.repeat(5000) + end)).toMatch(/^HTTP\/1\.1 200 [\s\S]*5000 bytes$/);
  });

  it('400 when there is more of them than anybody needs', async () => {
    const proxy = await startProxy(createServer((request) => request.on('error', () => {})));
    expect(await proxy.sendRaw(head + tiny.repeat(20_000) + end)).toMatch(/^HTTP\/1\.1 400 /);
    await eventually('the place is free', () => proxy.gate.inFlight === 0);
    expect(proxy.gate.outcomes).toMatchObject([{ status: 400 }]);
  });

  it('waits with one listener for an instance that does not read', async () => {
    const instance = createRawServer((socket) => void socket.pause().on('error', () => {}));
    const proxy = await startProxy(instance);
    const towards = watchConnections(proxy.gate.pool);
    // More than what the kernel keeps: the edge has to wait, in the middle of many chunks.
    const client = proxy.openRaw(head + `3e8;a\r\n${'x'.repeat(1000)}\r\n`.repeat(8000));
    await eventually('it waits', () => towards[0]?.writableNeedDrain === true);
    expect(towards[0]!.listenerCount('drain')).toBe(1);
    client.destroy();
  });
});

async function count(request: IncomingMessage): Promise<string> {
  return `${(await text(request)).length} bytes`;
}

/** The connections to the instance, as they are opened. */
function watchConnections(pool: { open(): { socket: Socket } }): Socket[] {
  const opened: Socket[] = [];
  const open = pool.open.bind(pool);
  pool.open = () => {
    const connection = open();
    opened.push(connection.socket);
    return connection;
  };
  return opened;
}

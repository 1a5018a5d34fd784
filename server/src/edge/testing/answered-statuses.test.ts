import { once } from 'node:events';
import { createServer } from 'node:http2';
import { connect, type AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { opening, request } from '../tls/http2/testing/floods.ts';
import { statusesOfHttp1, statusesOfHttp2 } from './answered-statuses.ts';

it('are all of those on a connection of HTTP/1.1', () => {
  const reply =
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhiHTTP/1.1 502 Bad Gateway\r\n\r\n';
  expect(statusesOfHttp1(Buffer.from(reply))).toEqual([100, 200, 502]);
  expect(statusesOfHttp1(Buffer.from('rubbish'))).toEqual([]);
});

const STATUSES = [200, 204, 206, 304, 400, 401, 404, 418, 429, 431, 500, 502, 503, 504, 599];

it.each(STATUSES)('are read of heads of HTTP/2: %i', async (status) => {
  const server = createServer();
  server.on('stream', (stream) => {
    stream.on('error', () => {});
    stream.respond({ ':status': status, 'content-type': 'text/plain', 'x-long': 'x'.repeat(300) });
    stream.end('a body');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(Buffer.concat([opening(), request(1, 'localhost'), request(3, 'localhost'), request(5, 'localhost')]));
  let reply = Buffer.alloc(0);
  for await (const piece of socket as AsyncIterable<Buffer>) {
    reply = Buffer.concat([reply, piece]);
    if (statusesOfHttp2(reply).length === 3) break;
  }
  expect(statusesOfHttp2(reply)).toEqual([status, status, status]);
  socket.destroy();
  server.close();
});

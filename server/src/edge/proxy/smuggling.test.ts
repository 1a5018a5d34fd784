import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { HOST, startProxy } from './testing/start-proxy.ts';

const get = (path: string) => `GET ${path} HTTP/1.1\r\n${HOST}\r\n`;
const app = (listener: (request: IncomingMessage, response: ServerResponse) => void) =>
  startProxy(createServer(listener));

describe('who smuggles', () => {
  it.each([
    ['two lengths', 'Content-Length: 5\r\nContent-Length: 6\r\n', 'hello'],
    ['a length and chunks', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\nGET /x HTTP/1.1\r\n\r\n'],
    ['chunks and a length', 'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n', '0\r\n\r\nGET /x HTTP/1.1\r\n\r\n'],
    ['two codings', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', '0\r\n\r\n'],
    ['a coding that is nearly one', 'Transfer-Encoding: xchunked\r\n', '0\r\n\r\n'],
    ['a coding with a blank that is none', 'Transfer-Encoding: \xa0chunked\r\n', '0\r\n\r\n'],
    ['a blank before the colon', 'Transfer-Encoding : chunked\r\n', '0\r\n\r\n'],
    ['a folded coding', 'Transfer-Encoding:\r\n chunked\r\n', '0\r\n\r\n'],
    ['a lone LF', 'X: y\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'],
    ['a signed length', 'Content-Length: +5\r\n', 'hello'],
  ])('400 before anything is sent: %s', async (_what, headers, body) => {
    const proxy = await app((_request, response) => response.end('seen'));
    expect(await proxy.sendRaw(`POST / HTTP/1.1\r\n${HOST}${headers}\r\n${body}`)).toMatch(/^HTTP\/1\.1 400 /);
    expect(proxy.gate.outcomes).toEqual([]);
  });

  it.each([
    ['a size that is none', 'zz\r\n'],
    ['a signed size', '+5\r\nhello\r\n'],
    ['a size with 0x', '0x5\r\nhello\r\n'],
    ['a size too large', '123456789\r\n'],
    ['a blank behind the size', '5 \r\nhello\r\n'],
    ['a size that ends with LF', '5\nhello\r\n'],
    ['an extension with LF', '5;a\nb\r\nhello\r\n'],
    ['data that is too long', '5\r\nhello!!\r\n'],
    ['data without its end', '5\r\nhelloGET /x HTTP/1.1\r\n'],
    ['an end without CR', '0\r\n\n'],
    ['a folded trailer', '0\r\nX: y\r\n z\r\n\r\n'],
    ['a length as a trailer', '0\r\nContent-Length: 5\r\n\r\n'],
  ])('400 in the body, and the instance never gets a whole one: %s', async (_what, body) => {
    const seen: string[] = [];
    const proxy = await app((request, response) => {
      void text(request).then(
        () => seen.push('whole'),
        () => seen.push('broken'),
      );
      request.on('end', () => response.end());
    });
    const head = `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n`;
    const answer = await proxy.sendRaw(`${head}3\r\nabc\r\n${body}${get('/smuggled')}`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
    await eventually('the instance has seen it break', () => seen.length > 0 || proxy.gate.pool.counts.open === 0);
    expect(seen).not.toContain('whole');
    expect(proxy.gate.outcomes).toMatchObject([{ status: 400 }]);
    expect(proxy.gate.pool.counts).toEqual({ open: 0, idle: 0 });
  });
});

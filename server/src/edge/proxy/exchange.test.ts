import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, request as startRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { HOST, rawInstance, readAll, startProxy } from './testing/start-proxy.ts';

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\n${HOST}${headers}\r\n`;
const last = 'Connection: close\r\n';
const app = (listener: Listener) => startProxy(createServer((request, response) => void listener(request, response)));
const bodyOf = (answer: string) => answer.slice(answer.indexOf('\r\n\r\n') + 4);

describe('a request', () => {
  it('reaches the instance as it was sent, and so does the answer', async () => {
    const proxy = await app(async (request, response) => {
      const body = await text(request);
      const { method, url, headers } = request;
      response.writeHead(201, ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'X-Answer', 'yes']);
      response.end(JSON.stringify({ method, url, host: headers.host, mine: headers['x-mine'], body }));
    });
    const answer = await proxy.sendRaw(
      `PATCH /a%20b?c=d HTTP/1.1\r\n${HOST}X-Mine: m\r\nContent-Length: 5\r\n${last}\r\nhello`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 201 Created\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nX-Answer: yes\r\n/);
    expect(JSON.parse(bodyOf(answer).split('\r\n')[1]!)).toEqual({
      method: 'PATCH',
      url: '/a%20b?c=d',
      host: 'app.test',
      mine: 'm',
      body: 'hello',
    });
    expect(proxy.gate.outcomes).toMatchObject([{ status: 201 }]);
    expect(proxy.gate.inFlight).toBe(0);
  });

  it('tells the instance who the client is, and nothing that is for the next hop only', async () => {
    const instance = rawInstance((socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n'));
    const proxy = await startProxy(instance);
    const forged = [
      'X-Forwarded-For: 6.6.6.6',
      'X-Forwarded-Proto: https',
      'X_Forwarded_For: 6.6.6.6',
      'Forwarded: for=6.6.6.6',
      'X-Forwarded-Anything-That-Is-Rather-Long-Indeed: 1',
      'X-Real-IP: 6.6.6.6',
      'X-Lilac-Probe: t',
      'Proxy: x',
      'Proxy-Authorization: x',
      'Keep-Alive: 5',
      'TE: trailers',
      'Connection: X-Mine, close',
      'X-Mine: m',
      'X-Yours: y',
      'Content_Length: 7',
      'X.Forwarded.For: 6.6.6.6',
      'X-Forwarded.Server: evil',
      'X!Real~IP: 6.6.6.6',
      'X.Real.IP: 6.6.6.6',
      'Content.Length: 7',
    ];
    await proxy.sendRaw(get('/', `${forged.join('\r\n')}\r\n`));
    expect(instance.heads).toEqual([
      `GET / HTTP/1.1\r\n${HOST}X-Yours: y\r\nX-Forwarded-For: 203.0.113.7\r\nX-Forwarded-Proto: http\r\nX-Forwarded-Host: app.test\r\n\r\n`,
    ]);
  });

  it.each([
    ['chunks', { 'Transfer-Encoding': 'chunked' }],
    ['a length', {}],
  ])('carries large bodies both ways with %s', async (_what, headers) => {
    const proxy = await app((request, response) => void request.pipe(response));
    const sent = randomBytes(5_000_000);
    const received = await call(proxy.port, { method: 'POST', headers, body: sent });
    expect(digest(received.body)).toBe(digest(sent));
    expect(proxy.gate.outcomes[0]!.bytesIn).toBeGreaterThan(sent.length);
    expect(proxy.gate.outcomes[0]!.bytesOut).toBeGreaterThan(sent.length);
  });

  it('arrives however it is cut', async () => {
    const proxy = await app(async (request, response) => response.end(`<${await text(request)}>`));
    const whole = `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n1\r\n!\r\n0\r\nX-T: 1\r\n\r\n${get('/', last)}`;
    const socket = proxy.openRaw('');
    const answer = readAll(socket);
    for (const letter of whole) {
      socket.write(letter, 'latin1');
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await answer).toMatch(/<hello!>[\s\S]*<>/);
  });

  it('with a whole address as its target is asked for by its path', async () => {
    const proxy = await app((request, response) => response.end(`${request.url} ${request.headers.host}`));
    expect(await proxy.sendRaw(`GET http://app.test?x HTTP/1.1\r\n${HOST}${last}\r\n`)).toContain('/?x app.test');
    await proxy.sendRaw(`GET http://app.test/ HTTP/1.1\r\nHost: other.test\r\n${last}\r\n`);
    await proxy.sendRaw(`CONNECT app.test:80 HTTP/1.1\r\n${HOST}\r\n`);
    expect(proxy.handedOver).toHaveLength(2);
  });

  it('waits for its place with all that it brings', async () => {
    const proxy = await app(async (request, response) => response.end(digest(await buffer(request))));
    proxy.gate.isClosed = true;
    const body = randomBytes(1_000_000);
    const answer = call(proxy.port, { method: 'POST', body });
    await eventually('it waits', () => proxy.gate.waiting.size === 1);
    proxy.gate.open();
    expect((await answer).body.toString()).toBe(digest(body));
  });
});

describe('answers', () => {
  it('come in the order of the requests, over one connection', async () => {
    const proxy = await app((request, response) => response.end(request.url));
    const paths = Array.from({ length: 50 }, (_, at) => `/${at}`);
    const answers = await proxy.sendRaw(paths.map((path) => get(path)).join('') + get('/last', last));
    expect(answers.match(/(?<=\r\n\r\n)\/(\d+|last)/g)).toEqual([...paths, '/last']);
    expect(proxy.gate.pool.counts.open).toBe(1);
  });

  it('come however much was sent ahead', async () => {
    const proxy = await app(async (request, response) => response.end(`<${(await buffer(request)).length}>`));
    const ahead = get('/', `X: ${'x'.repeat(1000)}\r\n`).repeat(200);
    const upload = `POST / HTTP/1.1\r\n${HOST}Content-Length: 3000000\r\n${last}\r\n${'x'.repeat(3_000_000)}`;
    expect(await proxy.sendRaw(ahead + upload)).toMatch(/^(HTTP[^<]*<0>){200}HTTP[^<]*<3000000>$/);
  });

  it.each([
    ['a length', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'],
    ['chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'],
    ['the end of the connection', 'HTTP/1.1 200 OK\r\n\r\nhello'],
    ['the end of an HTTP/1.0 connection', 'HTTP/1.0 200 OK\r\n\r\nhello'],
    ['a length in HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello'],
    ['their last piece', 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello'],
    ['a length after a word in between', 'HTTP/1.1 102 P\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'],
  ])('end with %s, however they are cut', async (_what, answer) => {
    for (const size of [1, 7, answer.length]) {
      const proxy = await startProxy(rawInstance((socket) => void sendInPieces(socket, answer, size)));
      const received = withoutSizes(await proxy.sendRaw(get('/') + get('/', last)));
      expect(received.match(/hello/g)).toHaveLength(2);
      expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*keep-alive[\s\S]*close/);
      expect(proxy.gate.outcomes.every(({ status }) => status === 200)).toBe(true);
    }
  });

  it('to HTTP/1.0 have no chunks', async () => {
    const proxy = await app((_request, response) => {
      response.write('one');
      response.end('two');
    });
    const answer = await proxy.sendRaw(`GET / HTTP/1.0\r\n${HOST}Connection: keep-alive\r\n\r\n`);
    expect(answer).not.toContain('chunked');
    expect(answer).toMatch(/Connection: close\r\n\r\nonetwo$/);
  });

  it.each([
    ['HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n'],
    ['HEAD', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'],
    ['GET', 'HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n'],
    ['GET', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 500\r\n\r\n'],
  ])('to %s that have no body leave the connection as it was: %j', async (method, answer) => {
    const instance = rawInstance((socket, head) =>
      socket.write(head.includes('/next') ? 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnext' : answer),
    );
    const proxy = await startProxy(instance);
    const received = await proxy.sendRaw(`${method} / HTTP/1.1\r\n${HOST}\r\n${get('/next', last)}`);
    expect(received).toMatch(/^HTTP\/1\.1 (200|204|304)[\s\S]*HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\nnext$/);
    expect(proxy.gate.pool.counts.open).toBe(1);
  });

  it('keep what the application says of date and server, and get the date where it says none', async () => {
    const dated = 'Date: Mon, 01 Jan 2024 00:00:00 GMT\r\nServer: mine\r\n';
    const proxy = await startProxy(
      rawInstance((socket, head) =>
        socket.write(
          `HTTP/1.1 200\r\n${head.includes('/dated') ? dated : ''}Content-Length: 0\r\nX-Lilac-Error: SV001\r\n\r\n`,
        ),
      ),
    );
    const first = await proxy.sendRaw(get('/dated', last));
    expect(first.match(/^Date: .*$/gm)).toEqual(['Date: Mon, 01 Jan 2024 00:00:00 GMT']);
    expect(first).toMatch(/^HTTP\/1\.1 200 \r\n[\s\S]*Server: mine/);
    expect(first).not.toContain('X-Lilac-Error');
    expect((await proxy.sendRaw(get('/', last))).match(/^Date: /gm)).toHaveLength(1);
  });

  it('are there before they are whole: events come one by one', async () => {
    const proxy = await app((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.flushHeaders();
      events.resolve(response);
    });
    const events = Promise.withResolvers<{ write(text: string): void; end(): void }>();
    const socket = proxy.openRaw(get('/', last));
    const [head] = (await once(socket, 'data')) as [Buffer];
    expect(head.toString()).toContain('text/event-stream');
    const stream = await events.promise;
    for (const event of ['data: 1\n\n', 'data: 2\n\n']) {
      stream.write(event);
      const [bytes] = (await once(socket, 'data')) as [Buffer];
      expect(bytes.toString()).toContain(event);
    }
    stream.end();
    await readAll(socket);
  });

  it('that come early end an upload that nobody needs, and the connection goes on', async () => {
    const proxy = await app((request, response) => {
      if (request.url === '/next') response.end('next');
      else response.writeHead(413, { 'Content-Length': 3 }).end('big');
    });
    const head = `POST / HTTP/1.1\r\n${HOST}Content-Length: 300000\r\n\r\n`;
    const socket = proxy.openRaw(head);
    const answer = readAll(socket);
    await eventually('it is answered', () => proxy.gate.outcomes.length === 1);
    socket.write('x'.repeat(300_000) + get('/next', last));
    expect(await answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*\r\n\r\nbigHTTP\/1\.1 200 [\s\S]*next/);
  });

  it('may go both ways at once', async () => {
    const proxy = await app((request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/plain' });
      response.flushHeaders();
      request.pipe(response);
    });
    const socket = proxy.openRaw(`POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n${last}\r\n`);
    await once(socket, 'data');
    for (const word of ['one', 'two']) {
      socket.write(`3\r\n${word}\r\n`);
      const [bytes] = (await once(socket, 'data')) as [Buffer];
      expect(bytes.toString()).toContain(word);
    }
    socket.write('0\r\n\r\n');
    expect(await readAll(socket)).toBe('0\r\n\r\n');
    expect(proxy.gate.outcomes).toMatchObject([{ status: 200 }]);
  });
});

describe('a client that expects 100-continue', () => {
  const expecting = `POST / HTTP/1.1\r\n${HOST}Content-Length: 4\r\nExpect: 100-continue\r\n${last}\r\n`;

  it('is told by the instance to go on', async () => {
    const proxy = await app(async (request, response) => response.end(await text(request)));
    const socket = proxy.openRaw(expecting);
    const [word] = (await once(socket, 'data')) as [Buffer];
    expect(word.toString()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write('body');
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 200 [\s\S]*body/);
  });

  it('or gets the answer instead, and the connection ends: what it sends next is not to be known', async () => {
    const instance = createServer();
    instance.on('checkContinue', (_request, response) => response.writeHead(401, { 'Content-Length': 0 }).end());
    const proxy = await startProxy(instance);
    const answer = await proxy.sendRaw(expecting.replace(last, ''));
    expect(answer).toMatch(/^HTTP\/1\.1 401 [\s\S]*Connection: close/);
  });

  it('417 for what nobody knows', async () => {
    const proxy = await app((_request, response) => response.end());
    expect(await proxy.sendRaw(get('/', 'Expect: miracles\r\n' + last))).toMatch(/^HTTP\/1\.1 417 /);
    expect(proxy.gate.outcomes).toEqual([]);
  });
});

interface Call {
  method?: string;
  headers?: Record<string, string>;
  body?: Buffer;
}

async function call(port: number, { method = 'GET', headers = {}, body }: Call): Promise<{ body: Buffer }> {
  const framing = body && !headers['Transfer-Encoding'] ? { 'Content-Length': String(body.length) } : {};
  const agent = new Agent();
  const request = startRequest({
    port,
    host: '127.0.0.1',
    agent,
    method,
    headers: { Host: 'app.test', ...headers, ...framing },
  });
  request.end(body);
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  const received = await buffer(answer);
  agent.destroy();
  return { body: received };
}

function withoutSizes(chunks: string): string {
  return chunks.replaceAll(/\r\n\d\r\n/g, '');
}

function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function sendInPieces(socket: Socket, answer: string, size: number): Promise<void> {
  for (let at = 0; at < answer.length; at += size) {
    socket.write(answer.slice(at, at + size), 'latin1');
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (!/Content-Length|chunked/.test(answer) || answer.includes('Connection: close')) socket.end();
}

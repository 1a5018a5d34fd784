import { createServer } from 'node:http';
import { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requestText } from '../proxy/request-text.ts';
import { parseRequestHead } from './parse-request-head.ts';
import { isSimple, type RequestHead } from './request-head.ts';

const read = (text: string) => parseRequestHead(Buffer.from(text, 'latin1'), 0);
const readWhole = (text: string) => read(text) as RequestHead;
const get = 'GET / HTTP/1.1\r\nHost: a.test\r\n';

describe('a request head', () => {
  it('says what the front needs', () => {
    const text = `GET /a?b HTTP/1.1\r\nhOsT: \t a.test:80 \r\nAccept-Encoding: br\r\nACCEPT-ENCODING:gzip\r\nX: y\r\n\r\nrest`;
    expect(readWhole(text)).toMatchObject({
      method: 'GET',
      target: '/a?b',
      host: 'a.test:80',
      acceptEncoding: 'br, gzip',
      isKeptAlive: true,
      hasBody: false,
      isHttp10: false,
      end: text.length - 'rest'.length,
    });
  });

  it.each([
    ['', true],
    ['Connection: close\r\n', false],
    ['Connection: x, Close\r\n', false],
    ['Connection: keep-alive\r\nConnection: close\r\n', false],
    ['Connection: closed\r\n', true],
  ])('tells whether the connection is kept: %j', (header, isKept) => {
    expect(readWhole(`${get}${header}\r\n`).isKeptAlive).toBe(isKept);
  });

  it('of HTTP/1.0 keeps the connection only when it says so, and needs no host', () => {
    expect(readWhole('GET / HTTP/1.0\r\n\r\n')).toMatchObject({ isKeptAlive: false, host: '' });
    expect(readWhole('GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n').isKeptAlive).toBe(true);
  });

  it('tells of a body, and of wishes that the front does not fulfil', () => {
    expect(readWhole(`${get}Content-Length: 0\r\n\r\n`).hasBody).toBe(false);
    expect(readWhole(`${get}Content-Length: 7\r\n\r\n`).hasBody).toBe(true);
    expect(readWhole(`${get}Transfer-Encoding: Chunked\r\n\r\n`).hasBody).toBe(true);
    expect(readWhole(`${get}Expect: 100-continue\r\n\r\n`).isSpecial).toBe(true);
    expect(readWhole(`${get}Upgrade: websocket\r\n\r\n`).isSpecial).toBe(true);
  });

  it('is waited for until its blank line, up to 16 KiB', () => {
    expect(read(get)).toBe('incomplete');
    expect(read('')).toBe('incomplete');
    expect(read(`${get}X: ${'x'.repeat(16_384)}`)).toBe('too-large');
    expect(read(`${get}X: ${'x'.repeat(16_384)}\r\n\r\n`)).toBe('too-large');
  });

  it('may follow an empty line', () => {
    expect(readWhole(`\r\n${get}\r\n`).end).toBe(get.length + 4);
    expect(read('\r')).toBe('incomplete');
    expect(read('\r\n\r')).toBe('incomplete');
  });

  it('does not follow more than a few of them', () => {
    expect(readWhole(`${'\r\n'.repeat(4)}${get}\r\n`).end).toBe(get.length + 10);
    expect(read(`${'\r\n'.repeat(5)}${get}\r\n`)).toBe('malformed');
    expect(read('\r\n'.repeat(5))).toBe('malformed');
  });

  it('is incomplete wherever it is cut', () => {
    const whole = `${get}Accept: x\r\n\r\n`;
    for (let length = 0; length < whole.length; length++) expect(read(whole.slice(0, length))).toBe('incomplete');
  });

  it('is refused as soon as a line ends without CR', () => {
    for (const text of ['GET /\n', 'GET / HTTP/1.1\n', `${get}\n`, `${get}X: y\n`, 'GET / HTTP/1.2', 'GET / X'])
      expect(read(text)).toBe('malformed');
  });

  it.each([
    ['no request', 'hello\r\n\r\n'],
    ['no target', 'GET HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['two spaces', 'GET  / HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a space in the target', 'GET /a b HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['another version', 'GET / HTTP/2.0\r\nHost: a\r\n\r\n'],
    ['bytes beyond ASCII in the target', 'GET /é HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['no host', 'GET / HTTP/1.1\r\n\r\n'],
    ['two hosts', `${get}Host: b\r\n\r\n`],
    ['a folded header', `${get}X: a\r\n b\r\n\r\n`],
    ['a space before the colon', `${get}X : a\r\n\r\n`],
    ['a lone LF', `${get}X: a\nY: b\r\n\r\n`],
    ['a lone CR', `${get}X: a\rY: b\r\n\r\n`],
    ['a control', `${get}X: a\0b\r\n\r\n`],
    ['no name', `${get}: x\r\n\r\n`],
    ['no colon', `${get}X\r\n\r\n`],
    ['two lengths', `${get}Content-Length: 1\r\nContent-Length: 1\r\n\r\n`],
    ['a list of lengths', `${get}Content-Length: 1, 1\r\n\r\n`],
    ['a signed length', `${get}Content-Length: +1\r\n\r\n`],
    ['no length', `${get}Content-Length:\r\n\r\n`],
    ['a length and chunks', `${get}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`],
    ['another coding', `${get}Transfer-Encoding: gzip, chunked\r\n\r\n`],
    ['a coding twice', `${get}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n`],
    ['chunks of HTTP/1.0', 'GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n'],
  ])('is refused: %s', (_what, text) => {
    expect(read(text)).toBe('malformed');
  });
});

describe('against the parser of Node', () => {
  it('whatever ours takes, Node takes: the same request, and the next begins at the same byte', async () => {
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(heads(), async (text) => {
        const ours = parseRequestHead(Buffer.from(text, 'latin1'), 0);
        if (typeof ours === 'string' || !isSimple(ours)) return;
        taken++;
        // To HTTP/1.0, Node answers with the end of the connection.
        const hasNext = ours.isKeptAlive && !ours.isHttp10;
        const next = hasNext ? 'GET /next HTTP/1.1\r\nHost: next.test\r\nConnection: close\r\n\r\n' : '';
        const seen = await readByNode(text.slice(0, ours.end) + next);
        const { method, target, host, range, ifNoneMatch, acceptEncoding } = ours;
        expect(seen[0]).toEqual(withoutEmptyParts({ method, target, host, range, ifNoneMatch, acceptEncoding }));
        expect(seen.slice(1).map((request) => request.target)).toEqual(hasNext ? ['/next'] : []);
      }),
      { numRuns: 5000 },
    );
    expect(taken).toBeGreaterThan(500);
  });

  it('whatever has a body ends where Node ends it, and so does what is sent on', async () => {
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(heads(['POST', 'PUT', 'GET', 'DELETE']), async (text) => {
        const ours = parseRequestHead(Buffer.from(text, 'latin1'), 0);
        if (typeof ours === 'string' || !ours.target.startsWith('/') || !METHODS.includes(ours.method)) return;
        if (ours.expectsUnknown || (ours.contentLength ?? 0) > 100) return;
        taken++;
        const body = ours.isChunked ? '5\r\nhello\r\n0\r\n\r\n' : 'x'.repeat(ours.contentLength ?? 0);
        const content = ours.isChunked ? 'hello' : body;
        const hasNext = ours.isKeptAlive && !ours.isHttp10;
        const next = 'GET /next HTTP/1.1\r\nHost: next.test\r\nConnection: close\r\n\r\n';
        const first = { method: ours.method, target: ours.target, body: content };
        const second = { method: 'GET', target: '/next', body: '' };
        const theirs = await readBodiesByNode(text.slice(0, ours.end) + body + (hasNext ? next : ''));
        expect(theirs).toEqual(hasNext ? [first, second] : [first]);
        const sentOn = requestText(ours, 'X-Forwarded-For: 1.1.1.1\r\n');
        expect(await readBodiesByNode(sentOn + body + next)).toEqual([first, second]);
      }),
      { numRuns: 4000 },
    );
    expect(taken).toBeGreaterThan(500);
  });
});

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'];

/** Heads that are nearly right, with all that requests are smuggled by. */
function heads(methods = ['GET', 'HEAD']): fc.Arbitrary<string> {
  const line = fc.tuple(names, mostly([': ', ':', ':\t'], [' : ', '']), values, lineEnds);
  return fc
    .tuple(
      fc.constantFrom('', '', '\r\n'),
      mostly(methods, ['POST', 'get', 'GETS', 'OPTIONS']),
      targets,
      mostly(['HTTP/1.1', 'HTTP/1.0'], ['HTTP/1.2', 'HTTP/0.9', 'http/1.1']),
      mostly(['Host: a.test\r\n'], ['']),
      fc.array(line, { maxLength: 4 }),
    )
    .map(([before, method, target, version, host, lines]) => {
      const headers = lines.map((parts) => parts.join('')).join('');
      return `${before}${method} ${target} ${version}\r\n${host}${headers}\r\n`;
    });
}

function mostly(usual: readonly string[], odd: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...usual) },
    { weight: 1, arbitrary: fc.constantFrom(...odd) },
  );
}

const bytes = fc.string({
  unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCodePoint(code)),
  maxLength: 6,
});
const lineEnds = mostly(['\r\n'], ['\n', '\r', '\r\n ', '\r\r\n', '\r\n\t']);
const targets = fc.oneof(
  { weight: 3, arbitrary: mostly(['/', '/a?b', '//', '/#', '/%00'], ['*', 'http://a.test/', 'a', '/é', '/a\tb']) },
  { weight: 1, arbitrary: fc.string({ maxLength: 8 }).map((text) => `/${text}`) },
);
const names = mostly(
  [
    'Connection',
    'Range',
    'If-None-Match',
    'Accept-Encoding',
    'X',
    'x-y',
    'Keep-Alive',
    'Proxy-Connection',
    'TE',
    'Via',
  ],
  ['Host', 'host', 'Content-Length', 'Transfer-Encoding', 'Content_Length', 'Content-Length ', ' X', '', 'Tránsfer'],
);
const values = fc.oneof(
  mostly(
    [
      'a.test',
      '0',
      'close',
      'keep-alive',
      'close, x',
      'upgrade',
      '"a"',
      '*',
      'bytes=0-1',
      'br, gzip',
      '',
      ' ',
      '\t',
      '\xff',
    ],
    ['5', '-1', '+1', '1,1', '0x1', '1 1', 'chunked', 'Chunked', 'identity', 'gzip, chunked', 'chunked,', '\0', '\x7f'],
  ),
  fc.string({ maxLength: 6 }),
  bytes,
);

/** A header that comes twice and is empty once is the same list to everybody. */
function withoutEmptyParts(request: Record<string, unknown>) {
  return Object.fromEntries(Object.entries(request).map(([key, value]) => [key, tidy(String(value))]));
}

function tidy(list: string): string {
  return list.split(', ').filter(Boolean).join(', ');
}

/** The same with their bodies. */
async function readBodiesByNode(bytes: string): Promise<object[]> {
  const seen: Promise<object>[] = [];
  const ended = Promise.withResolvers<void>();
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    const { method, url: target } = request;
    const whole = buffer(request).then((body) => ({ method, target, body: body.toString('latin1') }));
    seen.push(whole);
    void whole.finally(() => response.end());
  });
  server.on('clientError', ended.reject);
  const socket = new Duplex({
    read: () => {},
    write: (_chunk, _encoding, done) => done(),
    final: (done) => {
      ended.resolve();
      done();
    },
  });
  server.emit('connection', socket);
  socket.push(Buffer.from(bytes, 'latin1'));
  await ended.promise;
  socket.destroy();
  return Promise.all(seen);
}

/** The requests that Node's server sees in the bytes. */
async function readByNode(bytes: string) {
  const seen: object[] = [];
  const ended = Promise.withResolvers<void>();
  const server = createServer({ requireHostHeader: false }, ({ method, url, headers }, response) => {
    const {
      host = '',
      range = '',
      'if-none-match': ifNoneMatch = '',
      'accept-encoding': acceptEncoding = '',
    } = headers;
    seen.push(withoutEmptyParts({ method, target: url, host, range, ifNoneMatch, acceptEncoding }));
    response.end();
  });
  server.on('clientError', (error) => {
    seen.push(error);
    ended.resolve();
  });
  const socket = new Duplex({
    read: () => {},
    write: (_chunk, _encoding, done) => done(),
    final: (done) => {
      ended.resolve();
      done();
    },
  });
  server.emit('connection', socket);
  socket.push(Buffer.from(bytes, 'latin1'));
  await ended.promise;
  socket.destroy();
  return seen as { target: string }[];
}

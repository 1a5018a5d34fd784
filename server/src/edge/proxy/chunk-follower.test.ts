import { Duplex } from 'node:stream';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChunkFollower } from './chunk-follower.ts';

interface Followed {
  /** Where the body ends; null when it does not, or is none. */
  end: number | null;
  isMalformed: boolean;
  passed: string;
}

/** What becomes of a body whose bytes come in pieces of this size. */
function follow(text: string, pieceBytes: number, isDataOnly = false): Followed {
  const bytes = Buffer.from(text, 'latin1');
  const chunks = new ChunkFollower();
  chunks.begin(isDataOnly);
  let passed = '';
  for (let piece = 0; piece < bytes.length; piece += pieceBytes) {
    const to = Math.min(bytes.length, piece + pieceBytes);
    for (let at = piece; at < to && !chunks.isOver;) {
      const { isDropping } = chunks;
      const end = chunks.follow(bytes, at, to);
      if (end < 0) return { end: null, isMalformed: true, passed };
      if (!isDropping) passed += bytes.toString('latin1', at, end);
      at = end;
      if (chunks.isOver) return { end: at, isMalformed: false, passed };
    }
  }
  return { end: null, isMalformed: false, passed };
}

const data = fc.array(
  fc.oneof(fc.constantFrom('\r\n', '0\r\n\r\n', 'GET / HTTP/1.1\r\n\r\n'), fc.string({ minLength: 1 })),
  { maxLength: 5 },
);
const sizes = fc.integer({ min: 1, max: 40 });

describe('a chunked body', () => {
  it('ends behind its last chunk, whatever its data looks like and however it comes', () => {
    fc.assert(
      fc.property(
        data,
        fc.constantFrom('', ';a', ';a=b;c'),
        fc.constantFrom('', 'X-A: 1\r\n', 'X-A:\r\nB: 2\r\n'),
        sizes,
        (parts, extension, trailers, size) => {
          const chunks = parts.map((part) => Buffer.from(part).toString('latin1'));
          const body = `${chunks.map((part) => chunk(part, extension)).join('')}0${extension}\r\n${trailers}\r\n`;
          const plain = `${chunks.map((part) => chunk(part)).join('')}0\r\n\r\n`;
          expect(follow(`${body}POST /next`, size)).toEqual({ end: body.length, isMalformed: false, passed: plain });
          expect(follow(`${body}POST /next`, size, true).passed).toBe(chunks.join(''));
        },
      ),
    );
  });

  it.each([
    '\r\n',
    'g\r\n',
    '-1\r\n',
    '+1\r\n',
    '0x1\r\n',
    '1 \r\n',
    ' 1\r\n',
    '1\n',
    '1\r\r\n',
    '123456789\r\n',
    ''.padEnd(9, '0'),
    '1;\r\n',
    '1; a\r\n',
    '1;a =b\r\n',
    '1;a=\r\n',
    '1;a=b=c\r\n',
    '1;a="b"\r\n',
    '1;a\n',
    `1;${'a'.repeat(300)}\r\n`,
    '1\r\nab',
    '1\r\na\n',
    '0\r\n\n',
    '0\r\nX\r\n',
    '0\r\n: x\r\n',
    '0\r\nX: y\n',
    '0\r\n X: y\r\n',
    '0\r\nX : y\r\n',
    '0\r\nContent-Length: 1\r\n',
    '0\r\nTransfer-Encoding: chunked\r\n',
    `0\r\nX: ${'x'.repeat(9000)}`,
  ])('is refused as soon as it is none: %j', (text) => {
    expect(follow(text, 1).isMalformed).toBe(true);
    expect(follow(text, text.length).isMalformed).toBe(true);
  });
});

describe('against the parser of Node', () => {
  it('whatever ours takes, Node takes: the same data, and the next request begins at the same byte', async () => {
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(bodies(), async (text) => {
        const ours = follow(text, text.length || 1);
        const { end } = ours;
        if (end === null) return;
        taken++;
        const theirs = await readByNode(text.slice(0, end));
        expect(theirs).toEqual([follow(text, 7, true).passed, '/next']);
        // What we send on is read alike too.
        expect(await readByNode(ours.passed)).toEqual(theirs);
      }),
      { numRuns: 4000 },
    );
    expect(taken).toBeGreaterThan(500);
  });
});

/** Chunks that are nearly right. */
function bodies(): fc.Arbitrary<string> {
  const content = fc.oneof(
    fc.constantFrom('a', 'hello', '\r\n', '0\r\n\r\n'),
    fc.string({ minLength: 1, maxLength: 20 }),
  );
  const chunks = fc
    .tuple(content, odd([''], [';a', ';a=b', ';a="b"', '; a', ' ', ';', ';a\t', '\t']), lineEnds, lineEnds)
    .map(([text, extension, first, second]) => {
      const bytes = Buffer.from(text).toString('latin1');
      return `${bytes.length.toString(16)}${extension}${first}${bytes}${second}`;
    });
  const trailer = fc.tuple(
    odd(['X', 'x-y'], ['Content-Length', 'X ', '', 'é']),
    odd([': ', ':'], [' :', '']),
    odd(['', 'y'], ['\0', '\xff', '1']),
    lineEnds,
  );
  return fc
    .tuple(
      fc.array(chunks, { maxLength: 3 }),
      odd(['0', '000'], ['0x0', '', '0;a']),
      lineEnds,
      fc.array(trailer, { maxLength: 2 }),
      lineEnds,
    )
    .map(([parts, zero, first, trailers, second]) => {
      return `${parts.join('')}${zero}${first}${trailers.map((each) => each.join('')).join('')}${second}`;
    });
}

function odd(usual: readonly string[], rare: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 10, arbitrary: fc.constantFrom(...usual) },
    { weight: 1, arbitrary: fc.constantFrom(...rare) },
  );
}
const lineEnds = odd(['\r\n'], ['\n', '\r', '\r\n ', '\r\r\n', '']);

function chunk(text: string, extension = ''): string {
  return `${text.length.toString(16)}${extension}\r\n${text}\r\n`;
}

/** The data that Node's server reads, and the target of the request behind it. */
async function readByNode(bytes: string): Promise<string[]> {
  const body = Promise.withResolvers<string>();
  const next = Promise.withResolvers<string>();
  const server = createServer((request, response) => {
    if (request.url === '/') body.resolve(buffer(request).then((bytes) => bytes.toString('latin1')));
    else next.resolve(request.url!);
    response.end();
  });
  server.on('clientError', (error) => {
    body.resolve(String(error));
    next.resolve(String(error));
  });
  const socket = new Duplex({ read: () => {}, write: (_chunk, _encoding, done) => done() });
  server.emit('connection', socket);
  const head = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
  socket.push(Buffer.from(`${head}${bytes}GET /next HTTP/1.1\r\nHost: a\r\n\r\n`, 'latin1'));
  const seen = await Promise.all([body.promise, next.promise]);
  socket.destroy();
  return seen;
}

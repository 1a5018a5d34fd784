import { request as startRequest, type IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BodyFollower } from './body-follower.ts';
import { ResponseHead } from './response-head.ts';

const head = new ResponseHead();
const read = (text: string) => head.read(Buffer.from(text, 'latin1'), 0, text.length);
const ok = 'HTTP/1.1 200 OK\r\n';

describe('the head of an answer', () => {
  it('says how the answer ends, and which headers are for the client', () => {
    const text = `${ok}Content-Type: text/plain\r\nConnection: keep-alive, X-Hop\r\nX-Hop: 1\r\nKeep-Alive: timeout=7, max=3\r\nContent-Length: 5\r\nDate: now\r\nProxy-Authenticate: x\r\n\r\n`;
    expect(read(text)).toBe('whole');
    expect(head).toMatchObject({
      status: 200,
      isKeptAlive: true,
      keepAliveSeconds: 7,
      contentLength: 5,
      hasDate: true,
    });
    expect(head.lines).toBe('Content-Type: text/plain\r\nContent-Length: 5\r\nDate: now\r\n');
    expect(head.end).toBe(text.length);
    expect([head.framingFor('GET'), head.framingFor('HEAD')]).toEqual([5, 0]);
  });

  it('needs no reason', () => {
    expect(read('HTTP/1.1 200\r\n\r\n')).toBe('whole');
    expect(head.framingFor('GET')).toBe('until-close');
    expect(read('HTTP/1.0 404 \r\n\r\n')).toBe('whole');
    expect(head).toMatchObject({ status: 404, isHttp10: true, isKeptAlive: false });
  });

  it('is incomplete wherever it is cut', () => {
    const whole = `${ok}Content-Length: 5\r\nX: y\r\n\r\n`;
    for (let length = 0; length < whole.length; length++) expect(read(whole.slice(0, length))).toBe('incomplete');
  });

  it.each([
    'hello\r\n\r\n',
    'HTTP/2.0 200 OK\r\n\r\n',
    'HTTP/1.1 20 OK\r\n\r\n',
    'HTTP/1.1 2000 OK\r\n\r\n',
    'HTTP/1.1  200 OK\r\n\r\n',
    'HTTP/1.1 099 X\r\n\r\n',
    'HTTP/1.1 200 O\0K\r\n\r\n',
    'HTTP/1.1 200 OK\n\n',
    'http/1.1 200 OK\r\n\r\n',
    '\r\nHTTP/1.1 200 OK\r\n\r\n',
    `${ok}X: a\r\n b\r\n\r\n`,
    `${ok}X : a\r\n\r\n`,
    `${ok}X: a\nY: b\r\n\r\n`,
    `${ok}X: a\rY: b\r\n\r\n`,
    `${ok}: x\r\n\r\n`,
    `${ok}Content-Length: 1\r\nContent-Length: 1\r\n\r\n`,
    `${ok}Content-Length: 1, 1\r\n\r\n`,
    `${ok}Content-Length: -1\r\n\r\n`,
    `${ok}Content-Length: \xa01\r\n\r\n`,
    `${ok}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
    `${ok}Transfer-Encoding: gzip, chunked\r\n\r\n`,
    `${ok}Transfer-Encoding: \xa0chunked\r\n\r\n`,
    'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n',
    `${ok}X: ${'x'.repeat(70_000)}`,
  ])('is refused: %j', (text) => {
    expect(read(text)).toBe('malformed');
  });
});

describe('against the parser of Node', () => {
  it('whatever ours takes, Node takes: the same status, the same body, the same end', async () => {
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(answers(), fc.constantFrom('GET', 'HEAD', 'POST'), async (text, method) => {
        const ours = readWhole(text, method);
        if (ours === null) return;
        taken++;
        expect(await readByNode(text.slice(0, ours.end), method)).toEqual({ status: ours.status, body: ours.body });
      }),
      { numRuns: 5000 },
    );
    expect(taken).toBeGreaterThan(500);
  });
});

/** Null: it is not an answer, or not a whole one. */
function readWhole(text: string, method: string): { status: number; body: string; end: number } | null {
  const bytes = Buffer.from(text, 'latin1');
  if (read(text) !== 'whole' || head.status < 200) return null;
  const { status } = head;
  const framing = head.framingFor(method);
  const follower = new BodyFollower();
  follower.begin(framing, true);
  let body = '';
  let at = head.end;
  while (at < bytes.length && !follower.isOver) {
    const { isDropping } = follower;
    const end = follower.follow(bytes, at, bytes.length);
    if (end < 0) return null;
    if (!isDropping) body += bytes.toString('latin1', at, end);
    at = end;
  }
  return follower.isOver || framing === 'until-close' ? { status, body, end: at } : null;
}

/** Answers that are nearly right. */
function answers(): fc.Arbitrary<string> {
  const line = fc.tuple(names, odd([': ', ':', ':\t'], [' : ', '']), values, lineEnds).map((parts) => parts.join(''));
  return fc
    .tuple(
      odd(['HTTP/1.1', 'HTTP/1.0'], ['HTTP/1.2', 'http/1.1', 'HTTP/0.9']),
      odd(
        [' 200 OK', ' 404 ', ' 500', ' 204 X', ' 304 X'],
        [' 2x0', ' 99 X', '  200 OK', ' 200OK', ' 1000 X', ' 200\tOK', ' 999 é'],
      ),
      lineEnds,
      fc.array(line, { maxLength: 4 }),
      fc.constantFrom('', 'hello', '5\r\nhello\r\n0\r\n\r\n', '0\r\n\r\n', 'hello, and more'),
    )
    .map(([version, status, end, lines, body]) => `${version}${status}${end}${lines.join('')}\r\n${body}`);
}

function odd(usual: readonly string[], rare: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...usual) },
    { weight: 1, arbitrary: fc.constantFrom(...rare) },
  );
}
const lineEnds = odd(['\r\n'], ['\n', '\r', '\r\n ', '\r\r\n']);
const names = odd(
  ['Content-Length', 'Transfer-Encoding', 'Connection', 'X', 'Keep-Alive', 'Date', 'Set-Cookie'],
  ['content-length', 'Content_Length', 'Content-Length ', ' X', '', 'Transfér', 'Upgrade', 'Trailer'],
);
const values = fc.oneof(
  odd(
    ['5', '0', 'chunked', 'close', 'keep-alive', 'x', '', ' 5 ', '\t5'],
    ['+5', '-1', '5,5', '5 5', '0x5', 'gzip, chunked', 'Chunked', '\xa0chunked', '\0', '\x7f'],
  ),
  fc.string({ maxLength: 5 }),
);

/** What Node's client makes of the bytes, when the connection ends behind them. */
function readByNode(bytes: string, method: string): Promise<unknown> {
  const socket = new Duplex({ read: () => {}, write: (_chunk, _encoding, done) => done() });
  return new Promise((resolve) => {
    const request = startRequest({ method, host: 'a', createConnection: () => socket });
    request.on('error', (error) => resolve(String(error)));
    request.on('response', (answer: IncomingMessage) => {
      let body = '';
      answer.setEncoding('latin1').on('data', (text: string) => (body += text));
      answer.on('error', (error) => resolve(String(error)));
      answer.on('end', () => resolve({ status: answer.statusCode, body }));
    });
    request.end();
    socket.push(Buffer.from(bytes, 'latin1'));
    socket.push(null);
  });
}

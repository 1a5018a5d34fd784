import { describe, expect, it } from 'vitest';
import { parseRequestHead } from './parse-request-head.ts';
import type { RequestHead } from './request-head.ts';
import { RequestReader } from './request-reader.ts';

const bytesOf = (text: string) => Buffer.from(text, 'latin1');
const LINES = 'Host: a.test\r\nAccept-Encoding: br\r\nConnection: keep-alive\r\nX-Forwarded-For: me\r\n\r\n';

/** What a head says, copied: the reader's own holds until the next is read. */
function factsOf(head: RequestHead | string): unknown {
  return typeof head === 'string' ? head : { ...head, lines: head.lines };
}

/** As one connection's reader reads them, one after the other, and as each is read alone. */
function readBoth(texts: readonly string[]): { together: unknown[]; alone: unknown[] } {
  const reader = new RequestReader();
  return {
    together: texts.map((text) => factsOf(reader.read(bytesOf(text), 0))),
    alone: texts.map((text) => factsOf(parseRequestHead(bytesOf(text), 0))),
  };
}

describe('the requests of a connection', () => {
  it.each([
    ['that say the same', [LINES, LINES, LINES, LINES]],
    ['of which one says something else', [LINES, LINES, LINES.replace('br', 'gz'), LINES, LINES]],
    ['of which one says more', [LINES, LINES, `Cookie: a=b\r\n${LINES}`, LINES]],
    ['of which one says less', [`Cookie: a=b\r\n${LINES}`, `Cookie: a=b\r\n${LINES}`, LINES, LINES]],
    ['of which one has a body', [LINES, LINES, `Content-Length: 3\r\n${LINES}`, LINES]],
    ['of which one is no request', [LINES, LINES, `Host: b.test\r\n${LINES}`, LINES]],
    ['with many lines', Array.from({ length: 4 }, () => `X: ${'x'.repeat(5000)}\r\n${LINES}`)],
  ])('%s are read as each would be alone', (_what, rests) => {
    const texts = rests.map((rest, at) => `${at % 2 ? 'GET' : 'DELETE'} /${'p'.repeat(at)}?q HTTP/1.1\r\n${rest}`);
    const { together, alone } = readBoth(texts);
    expect(together).toEqual(alone);
  });

  it('mean something else by the same lines in HTTP/1.0', () => {
    const rest = 'Host: a.test\r\n\r\n';
    const versions = ['1.1', '1.1', '1.1', '1.0', '1.1', '1.0', '1.0'];
    const { together, alone } = readBoth(versions.map((version) => `GET / HTTP/${version}\r\n${rest}`));
    expect(together).toEqual(alone);
    expect(together).toMatchObject(versions.map((version) => ({ isKeptAlive: version === '1.1' })));
  });

  it.each([
    ['a first line that is none', `GET  HTTP/1.1\r\n${LINES}`],
    ['another version', `GET / HTTP/2.0\r\n${LINES}`],
    ['half of the lines', `GET / HTTP/1.1\r\n${LINES.slice(0, 20)}`],
    ['half of the first line', 'GET /some'],
    ['an empty line before it', `\r\nGET / HTTP/1.1\r\n${LINES}`],
    ['more than fits', `GET /${'x'.repeat(16_384)} HTTP/1.1\r\n${LINES}`],
    ['just more than fits', `GET /${'x'.repeat(16_384 - LINES.length - 15)} HTTP/1.1\r\n${LINES}`],
    ['just what fits', `GET /${'x'.repeat(16_384 - LINES.length - 16)} HTTP/1.1\r\n${LINES}`],
  ])('are judged as strictly as the first: %s', (_what, text) => {
    const usual = `GET / HTTP/1.1\r\n${LINES}`;
    const { together, alone } = readBoth([usual, usual, usual, text, usual]);
    expect(together).toEqual(alone);
  });

  it('are told apart where several are sent at once', () => {
    const [first, second] = [`GET /1 HTTP/1.1\r\n${LINES}`, `GET /22 HTTP/1.1\r\n${LINES}`];
    const bytes = bytesOf(first + second + first + second);
    const reader = new RequestReader();
    const targets: string[] = [];
    for (let at = 0; at < bytes.length;) {
      const head = reader.read(bytes, at) as RequestHead;
      targets.push(`${head.target} ${head.end - at} ${head.byteCount}`);
      at = head.end;
    }
    const [short, long] = [`/1 ${first.length} ${first.length}`, `/22 ${second.length} ${second.length}`];
    expect(targets).toEqual([short, long, short, long]);
  });

  it('keep nothing of the one before: where it was counted is its own', () => {
    const reader = new RequestReader();
    const text = bytesOf(`GET / HTTP/1.1\r\n${LINES}`);
    for (let round = 0; round < 4; round++) {
      const head = reader.read(text, 0) as RequestHead;
      expect(head).toMatchObject({ counters: null, access: null, target: '/' });
      head.counters = {} as never;
      head.target = '/elsewhere';
    }
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChunkedBody } from './chunked-body.ts';

const chunk = (data: string, extension = '') =>
  `${Buffer.byteLength(data, 'latin1').toString(16)}${extension}\r\n${data}\r\n`;

/** Where the body ends when its bytes come in pieces of this size. */
function endOf(text: string, pieceBytes: number): number | null {
  const bytes = Buffer.from(text, 'latin1');
  const body = new ChunkedBody();
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const taken = body.take(bytes.subarray(at, at + pieceBytes));
    if (body.isOver) return at + taken;
  }
  return null;
}

describe('a chunked body', () => {
  it('ends behind its last chunk and trailers, whatever its data looks like and however it comes', () => {
    const data = fc.array(fc.oneof(fc.constantFrom('\r\n', '0\r\n\r\n', 'GET / HTTP/1.1\r\n\r\n'), fc.string()), {
      maxLength: 5,
    });
    const trailers = fc.constantFrom('', 'X-A: 1\r\n', 'X-A: 1\r\nX-B: 2\r\n');
    fc.assert(
      fc.property(data, trailers, fc.integer({ min: 1, max: 40 }), (parts, trailer, pieceBytes) => {
        const chunks = parts.map((part) => Buffer.from(part).toString('latin1')).filter((part) => part !== '');
        const body = `${chunks.map((part) => chunk(part, ';name=value')).join('')}0\r\n${trailer}\r\n`;
        expect(endOf(`${body}POST /next HTTP/1.1\r\n\r\n`, pieceBytes)).toBe(body.length);
      }),
    );
  });

  it('takes everything when it is not well made', () => {
    for (const text of ['zz\r\n', '-1\r\n', '\r\n', '5garbage\r\n', `${'f'.repeat(20)}\r\n`]) {
      const body = new ChunkedBody();
      const bytes = Buffer.from(`${text}0\r\n\r\nGET / HTTP/1.1\r\n\r\n`);
      expect({ text, taken: body.take(bytes) }).toEqual({ text, taken: bytes.length });
      expect(body.isOver).toBe(false);
    }
  });

  it('looks at its data no more often than at its chunks', () => {
    const body = new ChunkedBody();
    expect(body.take(Buffer.from('800000\r\n'))).toBe(8);
    const piece = Buffer.from('\r\n'.repeat(32_768));
    for (let taken = 0; taken < 0x800000; taken += piece.length) expect(body.take(piece)).toBe(piece.length);
    expect(body.take(Buffer.from('\r\n0\r\n\r\nrest'))).toBe(7);
  });
});

import { describe, expect, it } from 'vitest';
import { createReplyReader } from './reply-reader.ts';
import { createRequestReader } from './request-reader.ts';

const message = (letter: string, content: string): Buffer => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(content.length + 4);
  return Buffer.concat([Buffer.from(letter), length, Buffer.from(content)]);
};
const pieces = (bytes: Buffer): Buffer[] => [...bytes].map((byte) => Buffer.from([byte]));

describe('the words between pg_dump and a server', () => {
  it('a client waits after a question, and not before it is whole', () => {
    const reader = createRequestReader();
    const begin = message('', 'user lilac');
    expect(
      pieces(begin)
        .map((piece) => reader.push(piece))
        .indexOf(true),
    ).toBe(begin.length - 1);
    expect(reader.push(message('Q', 'select 1'))).toBe(true);
    expect(reader.push(Buffer.concat([message('P', 'parse'), message('B', 'bind')]))).toBe(false);
    expect(reader.push(message('S', ''))).toBe(true);
    expect(reader.push(message('X', ''))).toBe(false);
  });

  it('a server has answered when it is ready for more', () => {
    const reader = createReplyReader();
    const answer = Buffer.concat([message('D', 'Z'), message('C', ''), message('Z', 'I')]);
    const settled = pieces(answer).map((piece) => {
      reader.push(piece);
      return reader.isSettled();
    });
    expect(settled.indexOf(true)).toBe(answer.length - 1);
    expect(Buffer.from(reader.take())).toEqual(answer);
    expect(reader.isSettled()).toBe(false);
  });
});

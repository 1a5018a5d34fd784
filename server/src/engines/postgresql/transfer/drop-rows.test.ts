import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { AnswerTooLong, createRowDropper, dropRows } from './drop-rows.ts';

const MEBIBYTE = 1024 ** 2;

function message(letter: string, content: string): Buffer {
  return Buffer.concat([announced(letter, content.length), Buffer.from(content)]);
}

describe('what a server says', () => {
  it('is left without rows, wherever it is cut', () => {
    const said = [
      message('T', 'columns'),
      message('D', 'a row'),
      message('D', ''),
      message('N', 'a notice'),
      message('C', 'SELECT 2'),
      message('d', 'copied'),
      message('A', 'notified'),
      message('Z', 'I'),
    ];
    const all = Buffer.concat(said);
    const expected = Buffer.concat([message('T', 'columns'), message('C', 'SELECT 2'), message('Z', 'I')]);
    for (let at = 0; at <= all.length; at++) {
      const keep = createRowDropper();
      const kept = [all.subarray(0, at), all.subarray(at)].flatMap((piece) => keep(piece));
      expect(Buffer.concat(kept)).toEqual(expected);
    }
  });

  it.each(['E', 'S', 'T', 'C'])('is not begun to be held when a message of %s is long', (letter) => {
    const head = announced(letter, 2 * MEBIBYTE);
    expect(() => createRowDropper()(head)).toThrow(AnswerTooLong);
    const inParts = createRowDropper();
    expect(inParts(head.subarray(0, 4))).toEqual([]);
    expect(() => inParts(head.subarray(4))).toThrow(`a message of ${2 * MEBIBYTE} bytes`);
    const short = createRowDropper();
    expect(short(announced(letter, MEBIBYTE))).toHaveLength(1);
  });

  it('may be as long as it likes where it is dropped', () => {
    for (const letter of 'DdNA') {
      const keep = createRowDropper();
      const row = Buffer.alloc(MEBIBYTE, 'x');
      const pieces = [announced(letter, 8 * MEBIBYTE), ...Array<Buffer>(8).fill(row), message('Z', 'I')];
      expect(Buffer.concat(pieces.flatMap((piece) => keep(piece)))).toEqual(message('Z', 'I'));
    }
  });

  it('ends the session where it is too long, or cannot be read', async () => {
    for (const [letter, words] of [
      ['E', 'a message of'],
      ['Z', 'unreadable'],
    ] as const) {
      const socket = new PassThrough();
      const heard: Buffer[] = [];
      socket.on('data', (piece: Buffer) => {
        if (letter === 'Z') throw new Error('unreadable');
        heard.push(piece);
      });
      dropRows(socket as unknown as Parameters<typeof dropRows>[0]);
      const failure = new Promise<Error>((resolve) => socket.once('error', resolve));
      socket.write(letter === 'E' ? announced('E', 2 * MEBIBYTE) : message('Z', 'I'));
      expect((await failure).message).toContain(words);
      expect(socket.destroyed).toBe(true);
      expect(heard).toEqual([]);
    }
  });
});

/** How a message begins that has so many bytes. */
function announced(letter: string, bytes: number): Buffer {
  const head = Buffer.alloc(5);
  head.write(letter);
  head.writeInt32BE(bytes + 4, 1);
  return head;
}

import { describe, expect, it } from 'vitest';
import { createRowDropper } from './drop-rows.ts';

function message(letter: string, content: string): Buffer {
  const head = Buffer.alloc(5);
  head.write(letter);
  head.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([head, Buffer.from(content)]);
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
});

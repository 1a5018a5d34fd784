import { describe, expect, it } from 'vitest';
import { CUT_MARK, cutLine, LineSplitter, MAX_LINE_BYTES, MAX_READ_BYTES } from './split-lines.ts';

function split(...chunks: (string | Buffer)[]): string[] {
  const splitter = new LineSplitter();
  return [...chunks.flatMap((chunk) => splitter.push(Buffer.from(chunk))), ...splitter.end()];
}

describe('lines of output', () => {
  it('end at newlines and returns, wherever the chunks end', () => {
    expect(split('a\nb', 'c\r', '\nd\re\n\nf')).toEqual(['a', 'bc', 'd', 'e', '', 'f']);
  });

  it('keep characters whole that chunks cut in two', () => {
    const flower = Buffer.from('🌸\n');
    expect(split(flower.subarray(0, 2), flower.subarray(2))).toEqual(['🌸']);
  });

  it('are read well beyond what is shown of them, and cost no more memory than that', () => {
    const [line, next] = split('x'.repeat(100_000), 'x'.repeat(100_000), '\nnext');
    expect(line === `${'x'.repeat(MAX_READ_BYTES)}${CUT_MARK}`).toBe(true);
    expect(next).toBe('next');
  });

  it('are cut to be shown when they are too long, between characters and not inside a colour', () => {
    const full = 'x'.repeat(MAX_LINE_BYTES);
    const room = full.slice(1);
    expect(cutLine(full)).toBe(full);
    expect(cutLine(`${full}y`)).toBe(full + CUT_MARK);
    expect(cutLine(`${full.repeat(8)}${CUT_MARK}`)).toBe(full + CUT_MARK);
    expect(cutLine(`${room}🌸`)).toBe(room + CUT_MARK);
    expect(cutLine(`${room.slice(2)}\u001b[31mred`)).toBe(room.slice(2) + CUT_MARK);
  });

  it('keep colours and lose what would move a cursor or break a store', () => {
    expect(split('\u001b[31mred\u001b[0m\u001b[2K\u001b[1A\u001b]0;title\u0007x\u0000y\tz\n')).toEqual([
      '\u001b[31mred\u001b[0mx\ufffdy\tz',
    ]);
  });

  it('lose what would turn the direction of text, or end a line for some who read it', () => {
    expect(split('user \u202eadmin\u202c \u2066x\u2069\u200e\u200f\u061c\n')).toEqual(['user �admin� �x����']);
    expect(split('one\u2028two\u2029three\n')).toEqual(['one�two�three']);
  });

  it('are text whatever bytes come', () => {
    expect(split(Buffer.from([0xff, 0xfe, 0x41, 0x0a]))).toEqual(['\ufffd\ufffdA']);
  });
});

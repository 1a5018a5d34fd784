import { describe, expect, it } from 'vitest';
import { LineSplitter, MAX_LINE_BYTES } from './split-lines.ts';

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

  it('are cut when they are too long, and cost no more memory than that', () => {
    const [line, next] = split('x'.repeat(100_000), 'x'.repeat(100_000), '\nnext');
    expect(line).toBe(`${'x'.repeat(MAX_LINE_BYTES)}… [cut]`);
    expect(next).toBe('next');
  });

  it('keep colours and lose what would move a cursor or break a store', () => {
    expect(split('\u001b[31mred\u001b[0m\u001b[2K\u001b[1A\u001b]0;title\u0007x\u0000y\tz\n')).toEqual([
      '\u001b[31mred\u001b[0mx\ufffdy\tz',
    ]);
  });

  it('are text whatever bytes come', () => {
    expect(split(Buffer.from([0xff, 0xfe, 0x41, 0x0a]))).toEqual(['\ufffd\ufffdA']);
  });
});

import { describe, expect, it } from 'vitest';
import { isBoundedJson } from './bounded-json.ts';

const isBounded = (text: string) => isBoundedJson(Buffer.from(text));
const nested = (depth: number, open = '[', close = ']') => open.repeat(depth) + close.repeat(depth);

describe('what is parsed', () => {
  it('is nested so far and no further, whatever stands in its texts', () => {
    expect(isBounded(nested(100))).toBe(true);
    expect(isBounded(nested(101))).toBe(false);
    expect(isBounded(nested(101, '{"a":', '}'))).toBe(false);
    expect(isBounded(`[${'[],'.repeat(1000)}[]]`)).toBe(true);
    expect(
      isBounded(JSON.stringify({ text: nested(1000), quoted: `"${nested(1000)}`, escaped: `\\${nested(1000)}` })),
    ).toBe(true);
    expect(isBounded(`["a\\\\",${nested(101)}]`)).toBe(false);
  });

  it('has so many values and no more', () => {
    expect(isBounded(`[${'0,'.repeat(900_000)}0]`)).toBe(true);
    expect(isBounded(`[${'0,'.repeat(1_000_000)}0]`)).toBe(false);
    expect(isBounded(`[${'[]'.repeat(1_000_000)}]`)).toBe(false);
    expect(isBounded(JSON.stringify(','.repeat(2_000_000)))).toBe(true);
  });
});

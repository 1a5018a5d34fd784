import { describe, expect, it } from 'vitest';
import { bytesToText, cutText, integerCell, jsonCell, textToBytes } from './cells.ts';
import { LONGEST_CELL } from './limits.ts';

describe('cells', () => {
  it('cut what is long, but no character in two', () => {
    expect(cutText('x'.repeat(LONGEST_CELL))).toHaveLength(LONGEST_CELL);
    expect(cutText(`${'x'.repeat(LONGEST_CELL - 1)}🌷`)).toBe(`${'x'.repeat(LONGEST_CELL - 1)}… (cut)`);
  });

  it('write bytes so that they can be read again', () => {
    const bytes = Buffer.from([0, 255, 16]);
    expect(bytesToText(bytes)).toBe(String.raw`\x00ff10`);
    expect(textToBytes(bytesToText(bytes))).toEqual(bytes);
    expect(textToBytes(String.raw`\x`)).toEqual(Buffer.alloc(0));
    for (const text of ['', 'x00', String.raw`\x0`, String.raw`\xzz`, bytesToText(Buffer.alloc(LONGEST_CELL))]) {
      expect(textToBytes(text)).toBeNull();
    }
  });

  it('are numbers where those are exact', () => {
    expect(integerCell('9007199254740991')).toBe(9_007_199_254_740_991);
    expect(integerCell('9007199254740993')).toBe('9007199254740993');
    expect(integerCell('-9223372036854775808')).toBe('-9223372036854775808');
  });

  it('are objects where those say the same as their text', () => {
    for (const exact of [
      '{"a": [1, -1.50, 15e-1, 1E+2, 0.0, -0, 0.1, 1e21, 100000000000000000000]}',
      '[]',
      ' {"b": null}',
    ]) {
      expect(jsonCell(exact)).toEqual(JSON.parse(exact));
    }
    for (const text of [
      '[12345678901234567890]',
      '[0.12345678901234567890]',
      '[1e400]',
      '"lone"',
      '1',
      'null',
      '[broken',
    ]) {
      expect(jsonCell(text)).toBe(text);
    }
  });
});

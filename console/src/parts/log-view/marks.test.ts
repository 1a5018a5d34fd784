import { describe, expect, it } from 'vitest';
import { extendRange, readLineHash, withinLog, writeLineHash } from './marks.ts';

describe('the lines that an address points at', () => {
  it.each([
    ['#L120', { from: 120, to: 120 }],
    ['#L3-L8', { from: 3, to: 8 }],
    ['#L8-3', { from: 3, to: 8 }],
    ['#l3', null],
    ['#L', null],
    ['#L0', null],
    ['#L0-L3', null],
    ['', null],
  ])('%s', (hash, range) => {
    expect(readLineHash(hash)).toEqual(range);
  });

  it.each(['#L7', '#L3-L8'])('%s is written as it was read', (hash) => {
    expect(writeLineHash(readLineHash(hash)!)).toBe(hash);
  });

  it('are those that the log has, once it is known how many those are', () => {
    const asked = { from: 8, to: 12 };
    expect([null, 20, 10, 8, 7, 0].map((count) => withinLog(asked, count))).toEqual([
      asked,
      asked,
      { from: 8, to: 10 },
      { from: 8, to: 8 },
      null,
      null,
    ]);
  });

  it('reach to a line that is clicked with shift, either way', () => {
    expect(extendRange(null, 5)).toEqual({ from: 5, to: 5 });
    expect(extendRange({ from: 5, to: 6 }, 9)).toEqual({ from: 5, to: 9 });
    expect(extendRange({ from: 5, to: 6 }, 2)).toEqual({ from: 2, to: 6 });
  });
});

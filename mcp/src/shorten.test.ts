import { describe, expect, it } from 'vitest';
import { clip, enumerate, tail } from './shorten.ts';
import { summariseSeries } from './summarise-series.ts';

describe('what is shortened', () => {
  it('says how much is missing', () => {
    expect(clip('short', 10)).toBe('short');
    expect(clip('abcdefgh', 3)).toBe('abc… (5 more characters)');
  });

  it('keeps the last lines, within their number and their length', () => {
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`);
    expect(tail(lines, 2)).toEqual(['line 98', 'line 99']);
    expect(tail(lines, 100, 20)).toEqual(['line 98', 'line 99']);
    expect(tail(['x'.repeat(5000)], 1)[0]!.length).toBeLessThan(1100);
    expect(tail(lines, 0)).toEqual([]);
  });

  it('names as many as fit, and counts the others', () => {
    expect(enumerate(['A', 'B'], 100)).toBe('A, B');
    expect(enumerate(['A', 'B', 'C', 'D'], 7)).toBe('A, B and 2 more');
    expect(enumerate(['LONG'.repeat(10), 'B'], 7)).toBe(`${'LONG'.repeat(10)} and 1 more`);
  });

  it('sums up a series, and thins its points with the newest among them', () => {
    const points = Array.from({ length: 100 }, (_, index) => ({ t: `t${index}`, v: index }));
    const { points: thinned, ...summary } = summariseSeries(points, true);
    expect(summary).toEqual({ points_measured: 100, last: 99, lowest: 0, highest: 99, mean: 49.5, total: 4950 });
    expect(thinned!.length).toBeLessThanOrEqual(30);
    expect(thinned!.at(-1)).toEqual({ t: 't99', v: 99 });
    expect(summariseSeries([], false)).toMatchObject({ last: null, mean: null, total: 0 });
  });
});

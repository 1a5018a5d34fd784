import { describe, expect, it } from 'vitest';
import { ticksOf } from './ticks.ts';

describe('the marks of a plot', () => {
  it.each([
    [null, 'count', [0, 1]],
    [1, 'count', [0, 1, 2]],
    [7, 'count', [0, 2, 4, 6, 8]],
    [0.6, 'average', [0, 1]],
    [40, 'count', [0, 20, 40, 60]],
    [0.3, 'percent', [0, 0.5, 1]],
    [3.4, 'ms', [0, 1, 2, 3, 4]],
    [100 * 2 ** 20, 'bytes', [0, 2 ** 25, 2 ** 26, 3 * 2 ** 25, 2 ** 27]],
  ] as const)('of %s %s are round, and the last is above it', (highest, unit, ticks) => {
    expect(ticksOf(highest, { unit })).toEqual(ticks);
  });

  it('go up to the most there can be, and not beyond', () => {
    expect(ticksOf(3, { unit: 'percent', most: 100 })).toEqual([0, 50, 100]);
    expect(ticksOf(3, { unit: 'bytes', most: 614.4 * 2 ** 20 })).toEqual([0, 2 ** 28, 2 ** 29]);
  });
});

import { describe, expect, it } from 'vitest';
import { sparklinePath, sumOf } from './path.ts';

const at = (minute: number, v: number) => ({ t: new Date(minute * 60_000).toISOString(), v });
const size = { width: 60, height: 10 };
/** One wide is a minute. */
const draw = (points: Parameters<typeof sparklinePath>[0]) => sparklinePath(points, size, 60 * 60_000);

describe('the line of requests', () => {
  it('lies where its minutes are in the hour, the most at the top and nothing at the bottom', () => {
    expect(draw([at(56, 0), at(57, 4), at(58, 2), at(59, 1)])).toBe('M56 10L57 0L58 5');
  });

  it('ends with the last minute that is over and written down, whatever the clock says', () => {
    const steady = Array.from({ length: 5 }, (_, index) => at(55 + index, 8));
    const endAt = (minute: number) => sparklinePath(steady, size, minute * 60_000)!.split('L').length + 54;
    expect([59.4, 59.6, 61, 50, 65].map(endAt)).toEqual([57, 58, 58, 57, 59]);
  });

  it('is broken where nothing was measured', () => {
    expect(draw([at(0, 1), at(1, 1), at(4, 1), at(5, 1)])).toBe('M0 0L1 0M4 0L5 0');
  });

  it('is not drawn while nobody comes', () => {
    expect(draw([at(58, 0), at(59, 0)])).toBeNull();
  });

  it('has a dot where nothing was measured before and after', () => {
    expect(draw([at(6, 3)])).toBe('M6 0h0');
    expect(draw([at(0, 1), at(4, 1), at(5, 1), at(9, 1)])).toBe('M0 0h0M4 0L5 0M9 0h0');
  });

  it('is not drawn where nothing was measured at all', () => {
    expect(draw([])).toBeNull();
  });

  it('adds up', () => {
    expect(sumOf([at(0, 3), at(1, 4)])).toBe(7);
  });
});

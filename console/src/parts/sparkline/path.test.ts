import { describe, expect, it } from 'vitest';
import { sparklinePath, sumOf } from './path.ts';

const at = (minute: number, v: number) => ({ t: new Date(minute * 60_000).toISOString(), v });
const size = { width: 60, height: 10 };

describe('the line of requests', () => {
  it('runs from the first minute to the last, the most at the top and nothing at the bottom', () => {
    expect(sparklinePath([at(0, 0), at(1, 4), at(2, 2)], size)).toBe('M0 10L30 0L60 5');
  });

  it('is broken where nothing was measured', () => {
    expect(sparklinePath([at(0, 1), at(1, 1), at(4, 1)], size)).toBe('M0 0L15 0M60 0');
  });

  it('lies flat at the bottom while nobody comes', () => {
    expect(sparklinePath([at(0, 0), at(1, 0)], size)).toBe('M0 10L60 10');
  });

  it('is not drawn from less than two points', () => {
    expect(sparklinePath([at(0, 3)], size)).toBeNull();
    expect(sparklinePath([], size)).toBeNull();
  });

  it('adds up', () => {
    expect(sumOf([at(0, 3), at(1, 4)])).toBe(7);
  });
});

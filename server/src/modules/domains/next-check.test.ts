import { describe, expect, it } from 'vitest';
import { nextCheckMs } from './next-check.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe('when a domain is looked at again', () => {
  it('is soon at first, then more and more rarely', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8, 100].map((failed) => nextCheckMs(failed) / 1000);
    expect(waits).toEqual([10, 20, 40, 80, 160, 320, 600, 600, 600]);
  });

  it('is daily when nothing is amiss, and after three days in vain', () => {
    let waited = 0;
    let failed = 1;
    while (nextCheckMs(failed) < DAY / 2) waited += nextCheckMs(failed++);
    expect(waited).toBeGreaterThan(3 * DAY - 10 * MINUTE);
    expect(waited).toBeLessThan(3 * DAY + 10 * MINUTE);
    for (const random of [0, 1]) {
      const daily = nextCheckMs(0, () => random);
      expect(daily).toBeGreaterThanOrEqual(0.9 * DAY);
      expect(daily).toBeLessThanOrEqual(DAY);
      expect(nextCheckMs(1_000_000, () => random)).toBe(daily);
    }
  });
});

import { describe, expect, it } from 'vitest';
import { isWorthTrimming, mustWait, nextLookMs } from './output-pressure.ts';

const mebibytes = (count: number) => ({ most: count * 1024 ** 2, sum: count * 1024 ** 2 });

describe('an instance that writes', () => {
  it('does not wait where what it wrote is collected, or is within what may wait to be collected', () => {
    for (const count of [0, 8, 64, 200]) expect(mustWait(mebibytes(count), { isHeld: false })).toBe(false);
  });

  it('waits when it outruns those who give it back, until they have come a good way', () => {
    expect(mustWait(mebibytes(300), { isHeld: false })).toBe(true);
    expect(mustWait(mebibytes(200), { isHeld: true })).toBe(true);
    expect(mustWait(mebibytes(100), { isHeld: true })).toBe(false);
  });

  it('need not be trimmed while it has little', () => {
    expect(isWorthTrimming(mebibytes(8))).toBe(false);
    expect(isWorthTrimming(mebibytes(65))).toBe(true);
  });
});

describe('the next look', () => {
  const quiet = nextLookMs({ grownBytes: 100_000, heldCount: 0, count: 10 });

  it('comes soon where much is written or somebody waits, and late where not', () => {
    expect(nextLookMs({ grownBytes: 100 * 1024 ** 2, heldCount: 0, count: 10 })).toBeLessThan(quiet / 2);
    expect(nextLookMs({ grownBytes: 0, heldCount: 1, count: 10 })).toBeLessThan(quiet / 2);
  });

  it('comes the later the more there are to look at, but never late', () => {
    const ofMany = nextLookMs({ grownBytes: 0, heldCount: 0, count: 100 });
    expect(ofMany).toBeGreaterThan(quiet);
    expect(nextLookMs({ grownBytes: 0, heldCount: 0, count: 10_000 })).toBeLessThan(500);
  });
});

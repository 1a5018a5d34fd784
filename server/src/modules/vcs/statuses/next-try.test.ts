import { describe, expect, it } from 'vitest';
import { nextTryMs } from './next-try.ts';

const HOUR_MS = 60 * 60_000;

describe('a host that does not answer', () => {
  it('is asked again for a day, less and less often', () => {
    let now = 0;
    const delays: number[] = [];
    for (let tries = 1; ; tries++) {
      const delayMs = nextTryMs({ since: 0, tries }, { now, retryAfterSeconds: 0 });
      if (delayMs === null) break;
      delays.push(delayMs);
      now += delayMs;
    }
    expect(delays[0]).toBeLessThan(15_000);
    expect(Math.max(...delays)).toBeLessThan(HOUR_MS);
    expect(now).toBeGreaterThanOrEqual(24 * HOUR_MS);
    expect(now).toBeLessThan(25 * HOUR_MS);
    expect(delays.length).toBeLessThan(100);
  });

  it('is left in peace for as long as it wants, which is no reason to give up', () => {
    expect(nextTryMs({ since: 0, tries: 1 }, { now: 0, retryAfterSeconds: 3600 })).toBe(HOUR_MS);
    expect(nextTryMs({ since: 0, tries: 1 }, { now: 0, retryAfterSeconds: 25 * 3600 })).toBe(25 * HOUR_MS);
    expect(nextTryMs({ since: 0, tries: 9 }, { now: 24 * HOUR_MS, retryAfterSeconds: 0 })).toBeNull();
  });
});

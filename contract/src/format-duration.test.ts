import { describe, expect, it } from 'vitest';
import { durationBetween, formatDuration } from './format-duration.ts';

describe('how long something took', () => {
  it.each([
    [-5, '0.0 s'],
    [412, '0.4 s'],
    [9940, '9.9 s'],
    [9960, '10 s'],
    [59_400, '59 s'],
    [59_600, '1 min'],
    [125_000, '2 min 5 s'],
    [3_600_000, '1 h'],
    [3_785_000, '1 h 3 min'],
    [86_399_000, '23 h 59 min'],
    [90_061_000, '1 d 1 h'],
    [172_800_000, '2 d'],
  ])('%i ms is %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  it('is counted between two moments', () => {
    expect(durationBetween('2026-01-01T00:00:00Z', '2026-01-01T00:01:00Z')).toBe(60_000);
    expect(durationBetween('1970-01-01T00:00:01Z', 3000)).toBe(2000);
  });
});

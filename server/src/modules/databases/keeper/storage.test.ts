import { describe, expect, it } from 'vitest';
import { isAtWall, judgeStorage } from './storage.ts';

const GB = 2 ** 30;
const MB = 2 ** 20;
const space = (usedBytes: number, promisedGb: number) => ({
  usedBytes,
  promisedBytes: promisedGb * GB,
  hardBytes: promisedGb * 1.1 * GB + 512 * MB,
});

describe('the brake in front of the end of a storage', () => {
  it.each([
    [0, 10, 'has room'],
    [8.9 * GB, 10, 'has room'],
    [9.2 * GB, 10, 'unchanged'],
    [9.5 * GB, 10, 'full'],
    [11 * GB, 10, 'full'],
    [800 * MB, 1, 'has room'],
    [900 * MB, 1, 'unchanged'],
    [924 * MB, 1, 'full'],
    [970 * GB, 1000, 'full'],
  ] as const)('at %d bytes of %d GB: %s', (used, promised, verdict) => {
    expect(judgeStorage(space(used, promised))).toBe(verdict);
  });

  it('is given more room at once by growth', () => {
    expect(judgeStorage(space(9.8 * GB, 10))).toBe('full');
    expect(judgeStorage(space(9.8 * GB, 12))).toBe('has room');
  });
});

describe('the end of a storage', () => {
  it('is reached when nearly nothing is free, not before', () => {
    const full = space(0, 10);
    expect(isAtWall({ ...full, usedBytes: full.hardBytes - 10 * MB })).toBe(true);
    expect(isAtWall({ ...full, usedBytes: 10 * GB })).toBe(false);
    expect(isAtWall({ ...full, hardBytes: null })).toBe(false);
    expect(isAtWall(null)).toBe(false);
  });
});

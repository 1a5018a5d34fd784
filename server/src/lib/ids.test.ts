import { describe, expect, it } from 'vitest';
import { newId } from './ids.ts';

describe('newId', () => {
  it('carries the prefix, 48 bits of time and 80 random bits', () => {
    expect(newId('app')).toMatch(/^app_[0-9a-hjkmnp-tv-z]{26}$/);
  });

  it('never repeats, however many are made at one moment', () => {
    const ids = Array.from({ length: 20_000 }, () => newId('req', 0));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('sorts by time', () => {
    const ids = [0, 1, 31, 32, 1024, Date.now(), 2 ** 48 - 1].map((now) => newId('env', now));
    expect(ids.toSorted()).toEqual(ids);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance, nearest } from './nearest.ts';

describe('nearest', () => {
  const candidates = ['apps list', 'apps get', 'keys list', 'doctor', 'whoami'];

  it('finds what a slip of the finger meant', () => {
    expect(nearest('apps lsit', candidates)).toBe('apps list');
    expect(nearest('docter', candidates)).toBe('doctor');
    expect(nearest('whomi', candidates)).toBe('whoami');
  });

  it('suggests nothing for something else altogether', () => {
    expect(nearest('frobnicate', candidates)).toBeNull();
    expect(nearest('x', [])).toBeNull();
  });
});

describe('editDistance', () => {
  it('counts a swap of neighbours as one edit', () => {
    expect(editDistance('lsit', 'list')).toBe(1);
    expect(editDistance('', 'abc')).toBe(3);
  });

  it('is zero only for the same word, and the same in both directions', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (a, b) => {
        expect(editDistance(a, b) === 0).toBe(a === b);
        expect(editDistance(a, b)).toBe(editDistance(b, a));
      }),
    );
  });
});

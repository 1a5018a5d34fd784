import { expect, it } from 'vitest';
import { tooLong } from './too-long.ts';

it('what is as long as it may be is not too long', () => {
  expect([tooLong('', 3), tooLong('abc', 3)]).toEqual(['', '']);
});

it('what is longer is counted, and the bound is said', () => {
  expect(tooLong('a'.repeat(100_001), 100_000)).toBe(
    'This is too long: it has 100,001 characters, and 100,000 is the most.',
  );
});

import { expect, it } from 'vitest';
import { countOf } from './count-of.ts';

it('both numbers of what was found are written alike', () => {
  const matches = Array.from({ length: 12_345 }, (_, at) => at + 1);
  expect(countOf(matches, 10_001)).toBe('10,001 of 12,345 lines');
  expect(countOf(matches, null)).toBe('12,345 lines');
  expect(countOf([7], 7)).toBe('1 of 1 line');
  expect(countOf([], null)).toBe('nothing found');
});

import { expect, it } from 'vitest';
import { cutMiddle } from './cut-middle.ts';

it('what fits stays as it is', () => {
  expect(cutMiddle('a short name', 12)).toBe('a short name');
});

it('two that begin alike differ by their ends', () => {
  const [one, other] = ['07:05', '07:06'].map((time) =>
    cutMiddle(`the-archive-with-a-very-long-name-indeed.zip, 16 Nov, ${time}`, 40),
  );
  expect(one).toBe('the-archive-with-a-…d.zip, 16 Nov, 07:05');
  expect(other).not.toBe(one);
});

it('a sign of several marks is one letter, and is not taken apart', () => {
  expect(cutMiddle('👩‍🚀'.repeat(6), 6)).toBe('👩‍🚀'.repeat(6));
  expect(cutMiddle('👩‍🚀'.repeat(9), 6)).toBe(`${'👩‍🚀'.repeat(2)}…${'👩‍🚀'.repeat(3)}`);
});

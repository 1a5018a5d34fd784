import { expect, it } from 'vitest';
import { createBackoff } from './backoff.ts';

it('mends the first death at once and slows down in a crash loop, up to five seconds', () => {
  const backoff = createBackoff();
  const delays = Array.from({ length: 12 }, () => backoff.delayAfter(100));
  expect(delays.slice(0, 4)).toEqual([50, 100, 200, 400]);
  expect(delays.at(-1)).toBe(5000);
});

it('forgets the past after a stable time', () => {
  const backoff = createBackoff();
  for (let death = 0; death < 8; death++) backoff.delayAfter(100);
  expect(backoff.delayAfter(60_000)).toBe(50);
});

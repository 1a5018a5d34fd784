import { ApiError } from '@lilac/contract/client';
import { expect, it } from 'vitest';
import { pauseBeforeRetry } from './pause-before-retry.ts';

const answer = (status: number, retryAfterSeconds: number | null = null) =>
  new ApiError({ status, code: 'SV002', message: 'Not now.', errorId: null, retryAfterSeconds });

it('asks ever more rarely, and never more often than the platform wants', () => {
  const pauses = [1, 2, 3, 4, 20].map((failures) => pauseBeforeRetry(failures, new TypeError('gone')));
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 30_000]);
  expect(pauseBeforeRetry(1, answer(503, 12))).toBe(12_000);
  expect(pauseBeforeRetry(6, answer(503, 2))).toBe(30_000);
});

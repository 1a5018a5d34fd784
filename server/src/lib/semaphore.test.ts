import { expect, it } from 'vitest';
import { createSemaphore } from './semaphore.ts';

it('gives a turn back when the work fails', async () => {
  const semaphore = createSemaphore(1);
  await expect(semaphore.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await semaphore.run(() => Promise.resolve('next'))).toBe('next');
});

import { expect, it, vi } from 'vitest';
import { refreshLock } from './refresh-lock.ts';

const denied = new DOMException('Access to the Locks API is denied in this context.', 'SecurityError');

it('where locks are refused the work runs without', async () => {
  const locks = { request: () => Promise.reject(denied) } as unknown as LockManager;
  await expect(refreshLock(locks)(() => Promise.resolve('done'))).resolves.toBe('done');
});

it('work that failed in its lock is not done a second time', async () => {
  const work = vi.fn<() => Promise<never>>(() => Promise.reject(new Error('no answer')));
  await expect(refreshLock(navigator.locks)(work)).rejects.toThrow('no answer');
  expect(work).toHaveBeenCalledTimes(1);
});

export type Lock = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Refresh tokens work once, so only one tab may use the cookie at a time. Browsers offer locks at secure
 * addresses only; elsewhere the work simply runs, and `refresh` repeats itself when it was overtaken.
 */
export function refreshLock(locks: LockManager | undefined): Lock {
  return async (work) => (locks ? await locks.request('lilac.refresh', work) : await work());
}

export type Lock = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Refresh tokens work once, so only one tab may use the cookie at a time. Browsers offer locks at secure
 * addresses only, and refuse them where a site's data is blocked; there the work simply runs, and `refresh` repeats
 * itself when it was overtaken.
 */
export function refreshLock(locks: LockManager | undefined): Lock {
  return async (work) => {
    if (!locks) return await work();
    let hasBegun = false;
    const begin = async () => {
      hasBegun = true;
      return await work();
    };
    try {
      return await locks.request('lilac.refresh', begin);
    } catch (error) {
      if (hasBegun) throw error;
      return await work();
    }
  };
}

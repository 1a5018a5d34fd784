import type { Db } from '../db/pool.ts';
import type { SharedRateLimit } from '../lib/rate-limit.ts';
import { addToRateWindows, purgeRateWindows } from './rate-window-store.ts';

export interface RateSharing {
  /** From now on what this limit counts is told to all, and what all have counted to it. */
  share: (limit: SharedRateLimit) => void;
  /** Tells and learns now; otherwise that is done every second. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const FLUSH_EVERY_MS = 1000;
/** More clients than these wait for the next second: nobody makes the store's work grow without end. */
const MAX_CLIENTS = 2000;
const PURGE_EVERY_MS = 60_000;

/**
 * Lets several apis keep one limit by the store, for one statement a second and nothing per request. While the store is
 * away each counts alone, and tells afterwards.
 */
export function createRateSharing({ db }: { db: Db }): RateSharing {
  let limit: SharedRateLimit | null = null;
  let last: Promise<void> = Promise.resolve();
  let purgeAt = performance.now() + PURGE_EVERY_MS;
  let isUnderWay = false;

  async function tell(): Promise<void> {
    const counts = limit?.takeUntold(MAX_CLIENTS) ?? [];
    if (counts.length === 0) return;
    try {
      limit!.learn(await addToRateWindows(db, counts));
    } catch {
      // That the store is away is told by others.
      limit!.giveBack(counts);
    }
  }

  async function purge(): Promise<void> {
    if (performance.now() < purgeAt) return;
    purgeAt = performance.now() + PURGE_EVERY_MS;
    await purgeRateWindows(db).catch(() => {});
  }

  function flush(): Promise<void> {
    isUnderWay = true;
    last = last
      .then(tell)
      .then(purge)
      .finally(() => (isUnderWay = false));
    return last;
  }

  const timer = setInterval(() => isUnderWay || void flush(), FLUSH_EVERY_MS).unref();
  return {
    share: (shared) => (limit = shared),
    flush,
    async close() {
      clearInterval(timer);
      await last;
    },
  };
}

import type { Db } from '../../db/pool.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { writeLastUsed } from './api-key-store.ts';

/** Remembers when keys were used and writes it down in batches, so that a request costs no query for it. */
export interface LastUsed {
  /** Cheap and never fails; call it on every request that a key made. */
  touch(keyId: string): void;
  /** Writes everything remembered so far. */
  flush(): Promise<void>;
  /** The last flush; later touches are forgotten. */
  close(): Promise<void>;
}

export interface LastUsedDeps {
  db: Db;
  clock: Clock;
  log: Log;
}

/** A first use shows in the list almost at once; a busy key is written no more often than the second. */
export const FLUSH_AFTER_MS = 250;
export const BETWEEN_WRITES_MS = 10_000;

export function createLastUsed({ db, clock, log }: LastUsedDeps): LastUsed {
  const pending = new Map<string, Date>();
  const writtenAt = new Map<string, number>();
  let timer: NodeJS.Timeout | null = null;
  let lastWrite: Promise<void> = Promise.resolve();
  let isClosed = false;

  /** There is no timer while no key is in use. */
  const arm = (): void => {
    if (isClosed || timer || pending.size === 0) return;
    timer = setTimeout(() => {
      timer = null;
      void flush(isDue);
    }, FLUSH_AFTER_MS).unref();
  };

  // A clock set back must not hold writes up, hence the absolute value.
  const isDue = (keyId: string): boolean =>
    Math.abs(clock.now().getTime() - (writtenAt.get(keyId) ?? 0)) >= BETWEEN_WRITES_MS;

  const flush = (isWanted: (keyId: string) => boolean): Promise<void> => {
    lastWrite = lastWrite.then(() => write(isWanted));
    return lastWrite;
  };

  const write = async (isWanted: (keyId: string) => boolean): Promise<void> => {
    const batch = [...pending].filter(([keyId]) => isWanted(keyId));
    for (const [keyId] of batch) pending.delete(keyId);
    remember(batch.map(([keyId]) => keyId));
    try {
      if (batch.length > 0) await writeLastUsed(db, batch);
    } catch (error) {
      for (const [keyId, at] of batch) if (!pending.has(keyId)) pending.set(keyId, at);
      log.warn({ err: error }, 'could not write down when API keys were last used; trying again');
    }
    arm();
  };

  const remember = (keyIds: readonly string[]): void => {
    for (const keyId of writtenAt.keys()) if (isDue(keyId)) writtenAt.delete(keyId);
    for (const keyId of keyIds) writtenAt.set(keyId, clock.now().getTime());
  };

  return {
    touch(keyId) {
      if (isClosed) return;
      pending.set(keyId, clock.now());
      arm();
    },
    flush: () => flush(() => true),
    close() {
      isClosed = true;
      if (timer) clearTimeout(timer);
      return flush(() => true);
    },
  };
}

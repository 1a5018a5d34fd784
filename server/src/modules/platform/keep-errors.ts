import type { Db } from '../../db/pool.ts';
import type { Log } from '../../lib/log.ts';
import { untraced } from '../../lib/trace.ts';
import { KEPT_ERRORS, keptErrorOf, type KeptError, type UnexpectedError } from './platform-error.ts';
import { deletePlatformErrorsBeyond, insertPlatformError } from './platform-error-store.ts';
import { vitals } from '../../lib/vitals.ts';

/** Writes down what nobody expected, for `lilac admin errors`. The log has it already. */
export interface ErrorKeeper {
  /** Never fails and never waits. */
  keep(error: UnexpectedError): void;
  /** Resolves when all that was told is written, or cannot be. */
  close(): Promise<void>;
}

export interface ErrorKeeperDeps {
  db: Db;
  log: Log;
  /** Which process it happened in. */
  role: string;
}

/** Where everything fails, a few hundred tell as much as a million: the rest is in the log only. */
const MOST_WAITING = 100;
const TRIM_EVERY = 100;

export function createErrorKeeper({ db, log, role }: ErrorKeeperDeps): ErrorKeeper {
  const counted = vitals.counter('lilac_unexpected_errors_total', 'Failures that nobody expected: lilac admin errors.');
  let waiting = 0;
  let written = 0;
  let last: Promise<void> = Promise.resolve();

  const write = async (error: KeptError, before: Promise<void>): Promise<void> => {
    await before;
    try {
      await insertPlatformError(db, error);
      if (written++ % TRIM_EVERY === 0) await deletePlatformErrorsBeyond(db, KEPT_ERRORS);
    } catch (reason) {
      // The store may be what failed. Nothing is tried again: the log has it.
      log.debug({ err: reason, errorId: error.id }, 'an error was not kept');
    } finally {
      waiting--;
    }
  };

  return {
    keep(error) {
      counted.value++;
      if (waiting >= MOST_WAITING) return;
      waiting++;
      const kept = keptErrorOf(error, role);
      last = untraced(() => write(kept, last));
    },
    close: () => last,
  };
}

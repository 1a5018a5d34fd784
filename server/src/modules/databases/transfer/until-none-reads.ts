import { setTimeout as delay } from 'node:timers/promises';
import { isLaneBusy } from '../../../jobs/queue-store.ts';
import { advance } from '../database-store.ts';
import type { DatabaseWorkDeps } from '../databases-deps.ts';
import { transferLaneOf } from '../job-kinds.ts';

const LOOK_AGAIN_MS = 200;
const LONGEST_WAIT_MS = 30 * 60_000;

/** Nothing is wrong with the file, nor with the database: it is not its turn. */
export class StillRead extends Error {
  constructor() {
    super('a backup or dump of this database is still being written. Try again when it has ended; `db backups` tells.');
  }
}

const WAITING = 'The import waits for a backup or dump of this database that is being written.';

/**
 * A backup that has begun is to be of one state. Those that begin later see that the import is under way, and wait. The
 * doors are open meanwhile.
 */
export async function untilNoneReads(
  { store }: Pick<DatabaseWorkDeps, 'store'>,
  { databaseId, signal, longestMs = LONGEST_WAIT_MS }: { databaseId: string; signal: AbortSignal; longestMs?: number },
): Promise<void> {
  const deadline = performance.now() + longestMs;
  let isTold = false;
  while (await isLaneBusy(store.db, transferLaneOf(databaseId))) {
    if (performance.now() > deadline) throw new StillRead();
    if (!isTold) await advance(store.db, databaseId, 'updating', { error: WAITING });
    isTold = true;
    await delay(LOOK_AGAIN_MS, undefined, { signal });
  }
  if (isTold) await advance(store.db, databaseId, 'updating', { error: null });
}

import { setTimeout as delay } from 'node:timers/promises';
import { isLaneBusy } from '../../../jobs/queue-store.ts';
import type { DatabaseWorkDeps } from '../databases-deps.ts';
import { transferLaneOf } from '../job-kinds.ts';

const LOOK_AGAIN_MS = 200;

/** A backup that has begun is to be of one state. Those that begin later see that the import is under way, and wait. */
export async function untilNoneReads(
  { store }: Pick<DatabaseWorkDeps, 'store'>,
  { databaseId, signal }: { databaseId: string; signal: AbortSignal },
): Promise<void> {
  while (await isLaneBusy(store.db, transferLaneOf(databaseId))) await delay(LOOK_AGAIN_MS, undefined, { signal });
}

import type { Db } from '../db/pool.ts';
import { requeueJob } from './claim-store.ts';
import { delayAfterDeath } from './outcome.ts';
import { listExpired, listJobsOf, listRunning, shortenLeasesOfMissingWorkers } from './recovery-store.ts';

/** Why a job is put back whose lease is over. */
export const WORKER_LOST = 'The worker that ran it was lost.';

/** Puts the jobs of workers that are gone back into the queue. Every worker does this for all the others. */
export async function recoverJobs(
  db: Db,
  { runningHere, graceMs }: { runningHere: readonly string[]; graceMs: number },
): Promise<void> {
  await shortenLeasesOfMissingWorkers(db, graceMs);
  for (const claim of await listExpired(db, runningHere)) {
    const delayMs = delayAfterDeath(claim);
    await requeueJob(db, claim, { error: WORKER_LOST, delayMs, isCounted: true, isDeath: true });
  }
}

/**
 * Puts back, without any wait, what is marked as running under a name and does not run: whoever holds
 * the lock on a name knows that nobody else works under it.
 */
export async function takeOverJobs(
  db: Db,
  { name, runningHere, isRestart }: { name: string; runningHere: readonly string[]; isRestart: boolean },
): Promise<void> {
  // A worker's death counts, or a job that kills its worker would do so for ever.
  const error = isRestart ? 'The worker that ran it died.' : 'The worker lost touch with the store.';
  for (const claim of await listJobsOf(db, name, runningHere)) {
    const delayMs = isRestart ? delayAfterDeath(claim) : 0;
    await requeueJob(db, claim, { error, delayMs, isCounted: isRestart, isDeath: isRestart });
  }
}

/** When it is known that no worker has any. */
export async function requeueRunningJobs(db: Db, error: string): Promise<void> {
  for (const claim of await listRunning(db)) await requeueJob(db, claim, { error, delayMs: 0, isCounted: false });
}

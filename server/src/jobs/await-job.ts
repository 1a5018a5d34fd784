import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '../db/pool.ts';
import type { JobEnd } from './job.ts';
import { findJob } from './queue-store.ts';

const FIRST_LOOK_MS = 10;
const LONGEST_MS = 250;

/** How a job ended, for somebody who waits for it; null when it has not within the time. Rejects when it is aborted. */
export async function awaitJob(
  db: Db,
  id: string,
  { withinMs, signal }: { withinMs: number; signal: AbortSignal },
): Promise<JobEnd['state'] | null> {
  const deadline = performance.now() + withinMs;
  for (let waitMs = FIRST_LOOK_MS; ; waitMs = Math.min(LONGEST_MS, waitMs * 1.5)) {
    await delay(waitMs, undefined, { signal });
    const job = await findJob(db, id);
    // Jobs are forgotten long after they have ended.
    if (!job) return null;
    if (job.state !== 'queued' && job.state !== 'running') return job.state;
    if (performance.now() > deadline) return null;
  }
}

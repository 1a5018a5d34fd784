import type { Log } from '../lib/log.ts';
import type { Attempts } from './attempts.ts';
import { claimJobs } from './claim-store.ts';
import type { WakeSignal } from './wake-signal.ts';
import type { WorkerSession } from './worker-session.ts';
import type { WorkerTiming } from './worker-timing.ts';

export interface TakeOptions {
  name: string;
  kinds: readonly string[];
  concurrency: number;
  timing: WorkerTiming;
  attempts: Attempts;
  /** Something may be there to do. */
  work: WakeSignal;
  log: Log;
  /** Jobs are taken through the session only, so none is taken by a worker that others believe dead. */
  session: () => WorkerSession | null;
}

/** Takes jobs whenever there are some and there is room. */
export async function takeJobs(options: TakeOptions, until: AbortSignal): Promise<void> {
  const { work, timing, log } = options;
  while (!until.aborted) {
    const napMs = await takeSome(options).catch((error: unknown) => {
      log.warn({ err: error }, 'the worker could not look for jobs');
      return timing.pollMs;
    });
    if (napMs > 0) await work.wait(Math.min(napMs, timing.pollMs));
  }
}

/** Returns how long there will be nothing to take, as far as it can tell. */
async function takeSome({ name, kinds, concurrency, attempts, timing, session }: TakeOptions): Promise<number> {
  const mine = attempts.all().map((attempt) => attempt.job.id);
  const limit = concurrency - mine.length;
  const live = session();
  if (limit <= 0 || !live) return Infinity;
  const askedAt = performance.now();
  const request = { worker: name, kinds, limit, leaseMs: timing.leaseMs, except: mine };
  const claimed = await claimJobs(live, request);
  if (!claimed) return 0;
  for (const job of claimed.jobs) attempts.begin(job, askedAt);
  if (claimed.jobs.length > 0) return 0;
  return Math.ceil(claimed.nextDueMs ?? Infinity);
}

import type { Log } from '../lib/log.ts';
import type { Attempts } from './attempts.ts';
import type { Places } from './places.ts';
import type { WakeSignal } from './wake-signal.ts';
import type { WorkerSession } from './worker-session.ts';

export interface TakeOptions {
  places: Places;
  pollMs: number;
  attempts: Attempts;
  /** Something may be there to do. */
  work: WakeSignal;
  log: Log;
  /** Jobs are taken through the session only, so none is taken by a worker that others believe dead. */
  session: () => WorkerSession | null;
}

/** Whoever else is at the same jobs has them by then, or has let go of them. */
const CONTENDED_MS = 5;

/** Takes jobs whenever there are some and there is room. */
export async function takeJobs(options: TakeOptions, until: AbortSignal): Promise<void> {
  const { work, pollMs, log } = options;
  while (!until.aborted) {
    const napMs = await takeSome(options).catch((error: unknown) => {
      log.warn({ err: error }, 'the worker could not look for jobs');
      return pollMs;
    });
    if (napMs > 0) await work.wait(Math.min(napMs, pollMs));
  }
}

/** Returns how long there will be nothing to take, as far as it can tell. */
async function takeSome({ places, attempts, session }: TakeOptions): Promise<number> {
  const live = session();
  if (!live) return Infinity;
  const askedAt = performance.now();
  const claiming = places.claim(
    live,
    attempts.all().map((attempt) => attempt.job),
  );
  if (!claiming) return Infinity;
  const claimed = await claiming;
  if (!claimed) return CONTENDED_MS;
  for (const job of claimed.jobs) attempts.begin(job, askedAt);
  if (claimed.jobs.length > 0) return 0;
  return Math.ceil(claimed.nextDueMs ?? Infinity);
}

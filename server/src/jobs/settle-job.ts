import { setTimeout as delay } from 'node:timers/promises';
import type { Store } from '../db/pool.ts';
import type { Log } from '../lib/log.ts';
import { endJob, requeueJob } from './claim-store.ts';
import { retryDelayMs, type ClaimedJob, type JobEnd, type JobHandler } from './job.ts';
import { messageOf, type Outcome } from './outcome.ts';

export interface SettleOptions {
  store: Pick<Store, 'db'>;
  log: Log;
  /** Writes down a failure that nobody expected; answers what to call it. */
  tellFailure: (error: unknown) => string;
  job: ClaimedJob;
  handler: JobHandler;
  /** True once the job may be another worker's: no use in trying any longer. */
  isLost(): boolean;
}

const RETRY_MS = 200;

/**
 * Writes down what became of an attempt, as soon as the store can be reached, unless the job was lost meanwhile.
 * Answers how the job ended, if it did.
 */
export async function settleJob(options: SettleOptions, outcome: Outcome): Promise<JobEnd['state'] | null> {
  const { log, tellFailure } = options;
  for (let next = outcome; ;) {
    try {
      const isOurs = await writeOutcome(options, next);
      if (!isOurs) log.warn('the job had been given to another worker');
      return isOurs && next.kind === 'end' ? next.end.state : null;
    } catch (error) {
      if (error instanceof EndHookFailed) {
        const errorId = tellFailure(error.cause);
        log.error({ err: error.cause, errorId }, 'the job could not be ended; it will be tried again');
        next = retryAfterHook(options, error);
      } else {
        log.warn({ err: error }, "the job's outcome could not be written");
        if (options.isLost()) return null;
        await delay(RETRY_MS);
      }
    }
  }
}

async function writeOutcome({ store, job, handler }: SettleOptions, outcome: Outcome): Promise<boolean> {
  if (outcome.kind === 'retry') return requeueJob(store.db, job, outcome);
  const { onEnd } = handler;
  if (!onEnd) return endJob(store.db, job, outcome.end);
  try {
    await store.db.transaction().execute(async (tx) => {
      await callHook(() => onEnd(tx, job.payload, { ...outcome.end, jobId: job.id, deaths: job.deaths }));
      if (!(await endJob(tx, job, outcome.end))) throw new NoLongerOurs();
    });
    return true;
  } catch (error) {
    if (error instanceof NoLongerOurs) return false;
    throw error;
  }
}

/** Undoes what the hook wrote. */
class NoLongerOurs extends Error {}

/** Trying the same again at once would not help: the job goes back to the queue. */
class EndHookFailed extends Error {}

async function callHook(hook: () => Promise<void>): Promise<void> {
  try {
    await hook();
  } catch (cause) {
    throw new EndHookFailed(messageOf(cause), { cause });
  }
}

function retryAfterHook({ job, handler }: SettleOptions, error: EndHookFailed): Outcome {
  const delayMs = retryDelayMs(job.attempt, handler.backoff);
  return { kind: 'retry', error: error.message, delayMs, isCounted: true };
}

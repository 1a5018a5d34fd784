import type { Store } from '../db/pool.ts';
import type { Log } from '../lib/log.ts';
import type { ClaimedJob, JobHandler } from './job.ts';
import { decideOutcome, JobStopped, verdictBeforeRun, type AttemptResult, type StopReason } from './outcome.ts';
import { settleJob } from './settle-job.ts';

/** A job that this worker has, from its claim until its outcome is written. */
export interface Attempt {
  readonly job: ClaimedJob;
  readonly signal: AbortSignal;
  /** When the store last confirmed that the job is ours, by the monotonic clock. */
  confirmedAt: number;
  /** The job may be another worker's by now. */
  isLost: boolean;
  stop(reason: StopReason): void;
}

export interface AttemptsOptions {
  store: Pick<Store, 'db'>;
  log: Log;
  handlers: ReadonlyMap<string, JobHandler>;
  /** There is room again. */
  onSettled(): void;
}

/** The jobs that run in this process. */
export interface Attempts {
  begin(job: ClaimedJob, confirmedAt: number): void;
  find(jobId: string): Attempt | undefined;
  all(): Attempt[];
  /** Resolves when none is left. */
  drained(): Promise<void>;
}

export function createAttempts(options: AttemptsOptions): Attempts {
  const running = new Map<string, Attempt>();
  const ends = new Set<Promise<void>>();
  return {
    begin(job, confirmedAt) {
      const attempt = newAttempt(job, confirmedAt);
      running.set(job.id, attempt);
      const end = runAttempt(options, attempt).finally(() => {
        running.delete(job.id);
        ends.delete(end);
        options.onSettled();
      });
      ends.add(end);
    },
    find: (jobId) => running.get(jobId),
    all: () => [...running.values()],
    async drained() {
      while (ends.size > 0) await Promise.all(ends);
    },
  };
}

function newAttempt(job: ClaimedJob, confirmedAt: number): Attempt {
  const abort = new AbortController();
  const attempt: Attempt = {
    job,
    confirmedAt,
    signal: abort.signal,
    isLost: false,
    stop(reason) {
      attempt.isLost ||= reason === 'lost';
      abort.abort(new JobStopped(reason));
    },
  };
  return attempt;
}

async function runAttempt({ store, log, handlers }: AttemptsOptions, attempt: Attempt): Promise<void> {
  const { job } = attempt;
  const handler = handlers.get(job.kind)!;
  const outcome = verdictBeforeRun(job) ?? (await callHandler(handler, attempt, log));
  await settleJob({ store, log, job, handler, isLost: () => attempt.isLost }, outcome);
}

async function callHandler(handler: JobHandler, attempt: Attempt, log: Log) {
  const { job, signal } = attempt;
  const timer = handler.timeoutMs && setTimeout(() => attempt.stop('overdue'), handler.timeoutMs);
  const jobLog = log.child({ job: job.id, kind: job.kind });
  const result = await settled(() =>
    handler.run(job.payload, { jobId: job.id, claim: job.claim, attempt: job.attempt, signal, log: jobLog }),
  );
  clearTimeout(timer);
  const stopped = signal.reason instanceof JobStopped ? signal.reason.reason : null;
  if (!result.ok && !stopped) jobLog.warn({ err: result.error, attempt: job.attempt }, 'a job failed');
  return decideOutcome(job, result, { stopped, backoff: handler.backoff });
}

async function settled(work: () => Promise<unknown>): Promise<AttemptResult> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    return { ok: false, error };
  }
}

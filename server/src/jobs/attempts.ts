import type { Store } from '../db/pool.ts';
import { newId } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import { traced, traceOfJob } from '../lib/trace.ts';
import type { ClaimedJob, JobHandler, JobObserver } from './job.ts';
import {
  decideOutcome,
  JobStopped,
  verdictBeforeRun,
  type AttemptResult,
  type Outcome,
  type StopReason,
} from './outcome.ts';
import { settleJob } from './settle-job.ts';

/** A job that this worker has, from its claim until its outcome is written. */
export interface Attempt {
  readonly job: ClaimedJob;
  readonly signal: AbortSignal;
  /** When the store last confirmed that the job is ours, by the monotonic clock. */
  confirmedAt: number;
  /** The job may be another worker's by now. */
  isLost: boolean;
  /** This process did nothing else for so long while it ran that others may believe it dead. */
  hasHung: boolean;
  stop(reason: StopReason): void;
}

export interface AttemptsOptions {
  store: Pick<Store, 'db'>;
  log: Log;
  handlers: ReadonlyMap<string, JobHandler>;
  observer?: JobObserver;
  /** How long a handler may take to stop when its time is over; then it is given up, and its place is another's. */
  giveUpMs: number;
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
      const trace = traceOfJob(job.id, job.request_id);
      const end = traced(trace, () => runAttempt(options, attempt)).finally(() => {
        trace.isOver = true;
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
    hasHung: false,
    stop(reason) {
      attempt.isLost ||= reason === 'lost';
      abort.abort(new JobStopped(reason));
    },
  };
  return attempt;
}

async function runAttempt(options: AttemptsOptions, attempt: Attempt): Promise<void> {
  const { store, log, handlers, giveUpMs, observer } = options;
  const { job } = attempt;
  const handler = handlers.get(job.kind)!;
  const jobLog = log.child({ kind: job.kind });
  const tellFailure = (error: unknown): string => {
    const errorId = newId('err');
    observer?.failed({ errorId, job, error });
    return errorId;
  };
  const told = { log: jobLog, tellFailure, giveUpMs };
  const outcome = refuseToRun(job, told) ?? (await callHandler(handler, attempt, told));
  const settle = { ...told, store, job, handler, isLost: () => attempt.isLost };
  const ended = await settleJob(settle, outcome);
  if (ended) observer?.ended(job.kind, ended);
}

/** Where failures go that nobody expected; the answer is what to call this one. */
export interface FailureBooks {
  log: Log;
  tellFailure: (error: unknown) => string;
}

/** One whose attempts are used up without a word of why: its workers died of it, or with it. */
function refuseToRun(job: ClaimedJob, { log, tellFailure }: FailureBooks): Outcome | null {
  const verdict = verdictBeforeRun(job);
  if (verdict?.kind === 'end' && verdict.end.state === 'failed') {
    const err = new Error(verdict.end.error);
    log.error({ err, attempt: job.attempt, errorId: tellFailure(err) }, 'a job is given up');
  }
  return verdict;
}

type CallOptions = FailureBooks & Pick<AttemptsOptions, 'giveUpMs'>;

async function callHandler(handler: JobHandler, attempt: Attempt, { log, tellFailure, giveUpMs }: CallOptions) {
  const { job, signal } = attempt;
  const givenUp = Promise.withResolvers<AttemptResult>();
  /** Whatever it writes from here on it writes without a claim, as after a loss: the job may be another's at once. */
  const giveUp = () => {
    const err = new Error(`It has not stopped ${giveUpMs} ms after its time was over, and is given up.`);
    log.error({ err, attempt: job.attempt, errorId: tellFailure(err) }, 'a job does not stop');
    givenUp.resolve({ ok: false, error: err });
  };
  let timer = setTimeoutIf(handler.timeoutMs, () => {
    attempt.stop('overdue');
    timer = setTimeout(giveUp, giveUpMs);
  });
  const work = settled(() =>
    handler.run(job.payload, { jobId: job.id, claim: job.claim, attempt: job.attempt, signal, log }),
  );
  const result = await Promise.race([work, givenUp.promise]);
  clearTimeout(timer);
  const stopped = signal.reason instanceof JobStopped ? signal.reason.reason : null;
  if (!result.ok && !stopped) {
    log.warn({ err: result.error, attempt: job.attempt, errorId: tellFailure(result.error) }, 'a job failed');
  }
  return decideOutcome(job, result, { stopped, hasHung: attempt.hasHung, backoff: handler.backoff });
}

function setTimeoutIf(delayMs: number | undefined, act: () => void): NodeJS.Timeout | undefined {
  return delayMs ? setTimeout(act, delayMs) : undefined;
}

async function settled(work: () => Promise<unknown>): Promise<AttemptResult> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    return { ok: false, error };
  }
}

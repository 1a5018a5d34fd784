import { retryDelayMs, type Backoff, type ClaimedJob, type JobEnd } from './job.ts';

/** Why a running attempt is told to stop. */
export type StopReason = 'cancelled' | 'overdue' | 'stopping' | 'lost';

/** The reason of an aborted signal. */
export class JobStopped extends Error {
  readonly reason: StopReason;

  constructor(reason: StopReason) {
    super(messages[reason]);
    this.reason = reason;
  }
}

const messages: Record<StopReason, string> = {
  cancelled: 'The job was cancelled.',
  overdue: 'The job took longer than it may.',
  stopping: 'The worker is stopping; the job will run again.',
  lost: 'The worker lost touch with the store; the job will run again.',
};

const HUNG = 'The worker that ran it hung, and lost touch with the store.';

/** What becomes of an attempt: an end, or another try. */
export type Outcome =
  | { kind: 'end'; end: JobEnd }
  | { kind: 'retry'; error: string; delayMs: number; isCounted: boolean; isDeath?: boolean };

export type AttemptResult = { ok: true; value: unknown } | { ok: false; error: unknown };

/**
 * So often may the worker end or hang while a job runs. A machine that fails, or an operator with a `kill -9`, hits the
 * same job twice or three times in its life; five times, with pauses between that grow, is the job's own doing, and
 * every time costs all other jobs of the worker theirs. A kind with fewer attempts ends sooner, since each of these is
 * one.
 */
export const MOST_DEATHS = 5;

const FIRST_PAUSE_MS = 2000;

/**
 * None after the first, nor where the job will only be ended. Else of any length up to one that grows: whatever ran
 * beside a job that ends its worker is probably not beside it the next time, and need not share its end.
 */
export function delayAfterDeath(
  { deaths, attempt, max_attempts }: Pick<ClaimedJob, 'deaths' | 'attempt' | 'max_attempts'>,
  random = Math.random,
): number {
  const isLast = deaths + 1 >= MOST_DEATHS || attempt >= max_attempts;
  return deaths === 0 || isLast ? 0 : random() * FIRST_PAUSE_MS * 4 ** (deaths - 1);
}

/** The verdict on a job that must not be tried at all any more, or null. */
export function verdictBeforeRun(job: ClaimedJob): Outcome | null {
  if (job.cancel_requested) return cancelled(job.error ?? messages.cancelled);
  if (job.deaths >= MOST_DEATHS) return failed(`The platform's worker ended ${job.deaths} times while it ran this.`);
  if (job.attempt > job.max_attempts) return failed(job.error ?? 'All attempts failed.');
  return null;
}

/** Work that was finished is done, even if somebody asked meanwhile to stop it. */
export function decideOutcome(
  job: ClaimedJob,
  result: AttemptResult,
  { stopped, hasHung, backoff }: { stopped: StopReason | null; hasHung: boolean; backoff: Backoff },
): Outcome {
  if (result.ok) return { kind: 'end', end: { state: 'done', result: result.value } };
  if (stopped === 'cancelled') return cancelled(messages.cancelled);
  // What hangs its worker would do so for ever if that did not count.
  if (stopped === 'lost' && hasHung) {
    return { ...retry(HUNG, { delayMs: delayAfterDeath(job), isCounted: true }), isDeath: true };
  }
  // The attempt did not fail, it was taken away: it is not held against the job.
  if (stopped === 'stopping' || stopped === 'lost') return retry(messages[stopped], { delayMs: 0, isCounted: false });
  const error = stopped === 'overdue' ? messages.overdue : messageOf(result.error);
  if (job.attempt >= job.max_attempts) return failed(error);
  return retry(error, { delayMs: retryDelayMs(job.attempt, backoff), isCounted: true });
}

function retry(error: string, how: { delayMs: number; isCounted: boolean }): Outcome & { kind: 'retry' } {
  return { kind: 'retry', error, ...how };
}

function failed(error: string): Outcome {
  return { kind: 'end', end: { state: 'failed', error } };
}

function cancelled(error: string): Outcome {
  return { kind: 'end', end: { state: 'cancelled', error } };
}

const LONGEST_ERROR = 4000;

export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message || error.name : String(error);
  // PostgreSQL has no zero character in its text.
  return message.replaceAll('\0', '\uFFFD').slice(0, LONGEST_ERROR);
}

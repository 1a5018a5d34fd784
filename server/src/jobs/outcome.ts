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

/** What becomes of an attempt: an end, or another try. */
export type Outcome =
  | { kind: 'end'; end: JobEnd }
  | { kind: 'retry'; error: string; delayMs: number; isCounted: boolean };

export type AttemptResult = { ok: true; value: unknown } | { ok: false; error: unknown };

/** The verdict on a job that must not be tried at all any more, or null. */
export function verdictBeforeRun(job: ClaimedJob): Outcome | null {
  if (job.cancel_requested) return cancelled(job.error ?? messages.cancelled);
  if (job.attempt > job.max_attempts) return failed(job.error ?? 'All attempts failed.');
  return null;
}

/** Work that was finished is done, even if somebody asked meanwhile to stop it. */
export function decideOutcome(
  job: ClaimedJob,
  result: AttemptResult,
  { stopped, backoff }: { stopped: StopReason | null; backoff: Backoff },
): Outcome {
  if (result.ok) return { kind: 'end', end: { state: 'done', result: result.value } };
  if (stopped === 'cancelled') return cancelled(messages.cancelled);
  // The attempt did not fail, it was taken away: it is not held against the job.
  if (stopped === 'stopping' || stopped === 'lost') return retry(messages[stopped], { delayMs: 0, isCounted: false });
  const error = stopped === 'overdue' ? messages.overdue : messageOf(result.error);
  if (job.attempt >= job.max_attempts) return failed(error);
  return retry(error, { delayMs: retryDelayMs(job.attempt, backoff), isCounted: true });
}

function retry(error: string, how: { delayMs: number; isCounted: boolean }): Outcome {
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

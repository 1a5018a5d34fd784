import type { JobObserver } from '../../jobs/job.ts';
import type { ErrorKeeper } from './keep-errors.ts';
import { vitals } from '../../lib/vitals.ts';

/** Keeps what jobs fail of, and counts how they end. */
export function observeJobs(errors: Pick<ErrorKeeper, 'keep'>): JobObserver {
  return {
    failed({ errorId, job, error }) {
      errors.keep({ errorId, origin: job.kind, requestId: job.request_id, jobId: job.id, error });
    },
    ended(kind, state) {
      vitals.counter('lilac_jobs_ended_total', 'Jobs that ended, by kind and how.', { kind, state }).value++;
    },
  };
}

import type { Store } from '../../db/pool.ts';
import { defineJob, type JobHandler } from '../../jobs/job.ts';
import { periodicJob, type NoPayload } from '../../jobs/schedule.ts';
import type { Clock } from '../../lib/clock.ts';
import { purgeErrors } from './purge-errors.ts';

const EVERY_MS = 60 * 60 * 1000;

const purge = defineJob<NoPayload>('platform.purge-errors');

/** What the worker does for the platform's own books: every hour, forgets errors that are old or too many. */
export function platformJobs({ store, clock }: { store: Pick<Store, 'db'>; clock: Clock }): JobHandler[] {
  return [periodicJob(purge, EVERY_MS, () => purgeErrors(store, clock))];
}

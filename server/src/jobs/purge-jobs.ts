import type { Store } from '../db/pool.ts';
import { defineJob, type JobHandler } from './job.ts';
import { purgeJobs } from './queue-store.ts';
import { periodicJob, type NoPayload } from './schedule.ts';

const HOUR_MS = 60 * 60 * 1000;
const KEPT_MS = 7 * 24 * HOUR_MS;

const purgeFinishedJobs = defineJob<NoPayload>('jobs.purge');

/** Each hour, forgets jobs that ended more than a week ago. */
export function purgeJobsHandler(store: Pick<Store, 'db'>): JobHandler {
  return periodicJob(purgeFinishedJobs, HOUR_MS, () => purgeJobs(store.db, KEPT_MS));
}

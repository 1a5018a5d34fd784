import type { Store } from '../../db/pool.ts';
import { defineJob, type JobHandler } from '../../jobs/job.ts';
import { periodicJob, type NoPayload } from '../../jobs/schedule.ts';
import type { Clock } from '../../lib/clock.ts';
import { purgeActivity } from './purge-activity.ts';

const EVERY_MS = 6 * 60 * 60 * 1000;

const purge = defineJob<NoPayload>('activity.purge');

/** What the worker does for the activity: four times a day, forgets what nobody will look for. */
export function activityJobs({ store, clock }: { store: Pick<Store, 'db'>; clock: Clock }): JobHandler[] {
  return [periodicJob(purge, EVERY_MS, () => purgeActivity(store, clock))];
}

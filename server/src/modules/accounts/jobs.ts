import { defineJob, type JobHandler } from '../../jobs/job.ts';
import { periodicJob, type NoPayload } from '../../jobs/schedule.ts';
import type { StoreDeps } from './accounts-deps.ts';
import { purgeExpired } from './purge-expired.ts';

const EVERY_MS = 15 * 60 * 1000;

const purge = defineJob<NoPayload>('accounts.purge');

/** What the worker does for accounts: every quarter of an hour, forgets what has expired. */
export function accountJobs({ store, clock }: StoreDeps): JobHandler[] {
  return [periodicJob(purge, EVERY_MS, () => purgeExpired(store, clock))];
}

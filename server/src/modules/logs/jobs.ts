import { defineJob, type JobHandler } from '../../jobs/job.ts';
import { periodicJob, type NoPayload } from '../../jobs/schedule.ts';
import { compactLogs, type CompactDeps } from './compact-logs.ts';
import { retainLogs } from './retain-logs.ts';
import { RETENTION_DAYS } from './retention.ts';

const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;

const compact = defineJob<NoPayload>('logs.compact');
const retain = defineJob<NoPayload>('logs.retain');

/**
 * What the worker does for logs: every minute, makes large chunks of small ones; every hour, drops days that are
 * too old, and looks for small chunks on those that are kept.
 */
export function logJobs(deps: CompactDeps): JobHandler[] {
  return [
    periodicJob(compact, MINUTE_MS, ({ signal }) => compactLogs(deps, { daysBack: 1 }, signal)),
    periodicJob(retain, { everyMs: HOUR_MS, firstMs: MINUTE_MS }, async ({ signal }) => {
      await retainLogs(deps);
      await compactLogs(deps, { daysBack: RETENTION_DAYS }, signal);
    }),
  ];
}

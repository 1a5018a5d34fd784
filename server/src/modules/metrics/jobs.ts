import type { Store } from '../../db/pool.ts';
import { defineJob, type JobHandler } from '../../jobs/job.ts';
import { periodicJob, type NoPayload } from '../../jobs/schedule.ts';
import type { Clock } from '../../lib/clock.ts';
import { retainMetrics } from './retain-metrics.ts';
import { rollUp } from './roll-up.ts';

const EVERY_MS = 5 * 60 * 1000;

const keepMetrics = defineJob<NoPayload>('metrics.roll-up');

/** What the worker does for metrics: every five minutes, sums up what is over, and then drops what is old. */
export function metricJobs({ store, clock }: { store: Pick<Store, 'db'>; clock: Clock }): JobHandler[] {
  return [
    periodicJob(keepMetrics, EVERY_MS, async ({ signal }) => {
      const nowMs = clock.now().getTime();
      await rollUp(store, { nowMs, signal });
      await retainMetrics(store, nowMs);
    }),
  ];
}

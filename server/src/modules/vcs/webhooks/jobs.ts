import { handleJob, type JobHandler } from '../../../jobs/job.ts';
import { periodicJob } from '../../../jobs/schedule.ts';
import { hookJobs } from '../hooks/jobs.ts';
import { statusJob } from '../statuses/write-status.ts';
import type { RepositoryDoor } from '../vcs-deps.ts';
import { actAgain, actOnDelivery } from './act-on-delivery.ts';
import { deliveryJob, purgeJob } from './job-kinds.ts';
import { purge } from './purge.ts';
import type { ActDeps } from './webhooks-deps.ts';

export type VcsJobsDeps = ActDeps & { door: RepositoryDoor };

const PURGE_MS = 60 * 60_000;

/** What the worker does for repository hosts: acts on what they tell, and tells them how things stand. */
export function vcsJobs(deps: VcsJobsDeps): JobHandler[] {
  return [
    handleJob(deliveryJob, (payload, context) => actOnDelivery(deps, payload, context), {
      limits: { perWorker: 3, perGroup: 1 },
      timeoutMs: 10 * 60_000,
      backoff: { firstMs: 2000, maxMs: 10 * 60_000 },
      onEnd: (tx, _payload, end) => actAgain(tx, end),
    }),
    ...hookJobs(deps),
    statusJob(deps),
    periodicJob(purgeJob, PURGE_MS, () => purge(deps)),
  ];
}

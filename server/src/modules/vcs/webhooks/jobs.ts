import { handleJob, type JobHandler } from '../../../jobs/job.ts';
import { periodicJob } from '../../../jobs/schedule.ts';
import { hookJobs } from '../hooks/jobs.ts';
import { statusJob } from '../statuses/write-status.ts';
import type { RepositoryDoor } from '../vcs-deps.ts';
import { actAgain, actOnDelivery } from './act-on-delivery.ts';
import { deliveryJob, purgeJob } from './job-kinds.ts';
import { deleteAttemptsExpiredBefore, deleteDeliveriesOlderThan } from './purge-store.ts';
import type { ActDeps } from './webhooks-deps.ts';

export type VcsJobsDeps = ActDeps & { door: RepositoryDoor };

const PURGE_MS = 60 * 60_000;
/** So long the same delivery is known again. */
const DELIVERIES_DAYS = 14;
/** What became of an attempt can be seen for so long after it could have gone on. */
const ATTEMPTS_MS = 24 * 60 * 60_000;

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

export async function purge({ store: { db }, clock }: Pick<VcsJobsDeps, 'store' | 'clock'>): Promise<void> {
  await deleteDeliveriesOlderThan(db, DELIVERIES_DAYS);
  await deleteAttemptsExpiredBefore(db, new Date(clock.now().getTime() - ATTEMPTS_MS));
}

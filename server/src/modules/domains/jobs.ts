import { handleJob, type JobHandler } from '../../jobs/job.ts';
import { periodicJob } from '../../jobs/schedule.ts';
import { findDomain, listForgottenDomains } from './domain-store.ts';
import type { DomainsDeps } from './domains-deps.ts';
import { checkJob, enqueueCheck, watchJob } from './job-kinds.ts';
import { lookAtDomain } from './look-at-domain.ts';

const WATCH_MS = 10 * 60_000;
const FORGOTTEN_MS = 5 * 60_000;

/** What the worker does for domains: looks at the DNS of each when its time has come. */
export function domainJobs(deps: DomainsDeps): JobHandler[] {
  return [
    handleJob(checkJob, ({ domainId }) => checkDue(deps, domainId), {
      limits: { perWorker: 8, perGroup: 2 },
      timeoutMs: 30_000,
    }),
    periodicJob(watchJob, { everyMs: WATCH_MS, firstMs: 1000 }, () => remindForgotten(deps)),
  ];
}

export async function checkDue(deps: DomainsDeps, domainId: string): Promise<void> {
  if (await findDomain(deps.store.db, domainId)) await lookAtDomain(deps, domainId, { isDue: true });
}

export async function remindForgotten({ store: { db }, clock }: Pick<DomainsDeps, 'store' | 'clock'>): Promise<void> {
  const forgotten = await listForgottenDomains(db, new Date(clock.now().getTime() - FORGOTTEN_MS));
  for (const domain of forgotten) await db.transaction().execute((tx) => enqueueCheck(tx, domain));
}

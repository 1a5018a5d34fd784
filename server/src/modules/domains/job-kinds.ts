import type { Tx } from '../../db/pool.ts';
import { defineJob } from '../../jobs/job.ts';
import { enqueue } from '../../jobs/queue-store.ts';
import type { NoPayload } from '../../jobs/schedule.ts';
import { registeredDomainOf } from '../../lib/registered-domain.ts';
import type { DueDomain } from './domain-store.ts';

export interface OfDomain {
  domainId: string;
}

/** Looks at the DNS of a domain, and goes on from there. */
export const checkJob = defineJob<OfDomain>('domains.check', { isGrouped: true });
/** Sees to it that none is forgotten. */
export const watchJob = defineJob<NoPayload>('domains.watch', { maxAttempts: 1 });

/** One that waits for later comes forward. Of one domain one is looked at at a time: its servers may be slow. */
export async function enqueueCheck(
  tx: Tx,
  { id: domainId, organisation_id: group, hostname }: DueDomain,
  { delayMs = 0 } = {},
): Promise<void> {
  await enqueue(tx, {
    kind: checkJob,
    payload: { domainId },
    key: domainId,
    lane: `DNS of ${registeredDomainOf(hostname)}`,
    group,
    delayMs,
  });
}

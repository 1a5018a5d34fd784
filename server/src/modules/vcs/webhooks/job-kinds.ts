import type { Tx } from '../../../db/pool.ts';
import { defineJob } from '../../../jobs/job.ts';
import { enqueue } from '../../../jobs/queue-store.ts';
import type { NoPayload } from '../../../jobs/schedule.ts';
import type { HostEvent } from '../../../vcs/vcs-host.ts';
import type { Failing } from '../statuses/next-try.ts';
import type { DeliveryKey } from './delivery-store.ts';
import { storableId } from './storable-events.ts';

export interface DeliveryPayload extends DeliveryKey {
  /** What was tried in vain so far, and for which applications. */
  failing?: Failing & {
    applicationIds: string[];
    /** Milliseconds since 1970: left in peace until then, though the job has its turn before for those that wait. */
    notBefore?: number;
  };
  /** Applications that only wait for a build. Those that are named neither here nor above have been seen to. */
  waiting?: string[];
}

/** One account's slow repositories are not to keep those of others waiting. */
export const deliveryJob = defineJob<DeliveryPayload>('vcs.delivery', { maxAttempts: 10, isGrouped: true });
export const purgeJob = defineJob<NoPayload>('vcs.purge');

/** One at a time of a repository: what was pushed first is acted on first. */
export async function enqueueDelivery(
  tx: Tx,
  payload: DeliveryPayload,
  { events, delayMs = 0 }: { events: readonly HostEvent[]; delayMs?: number },
): Promise<void> {
  const { provider, deliveryId } = payload;
  const { account, subject } = aboutWhat(events);
  await enqueue(tx, {
    kind: deliveryJob,
    payload,
    key: `${provider} ${deliveryId}`,
    lane: `vcs ${provider} ${subject}`,
    group: `${provider} ${account}`,
    delayMs,
  });
}

function aboutWhat([first]: readonly HostEvent[]): { account: string; subject: string } {
  if (first?.kind !== 'push') return { account: '', subject: `installation ${first?.installationId}` };
  const { id, fullName } = first.repository;
  return { account: storableId(fullName.split('/', 1)[0]!.toLowerCase()), subject: id };
}

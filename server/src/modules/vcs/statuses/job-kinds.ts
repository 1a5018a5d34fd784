import type { Tx } from '../../../db/pool.ts';
import { defineJob } from '../../../jobs/job.ts';
import { enqueue } from '../../../jobs/queue-store.ts';
import type { Failing } from './next-try.ts';
import { findCommitOf } from './status-store.ts';

export type OfStatus = {
  deploymentId: string;
  /** A commit that the deployment was to be made of, before it was made of another. */
  left?: string;
  failing?: Failing;
};

/** One organisation's slow host is not to keep those of others waiting. */
export const writeStatusJob = defineJob<OfStatus>('vcs.write-status', { isGrouped: true });

/**
 * Has the repository's host told how a deployment stands when the transaction has ended. However often it is asked for,
 * one job that waits is enough: it tells what is then the case. An environment's are told one after the other.
 */
export async function enqueueStatus(tx: Tx, subject: OfStatus, { delayMs = 0 } = {}): Promise<void> {
  const { deploymentId, left } = subject;
  const commit = await findCommitOf(tx, deploymentId);
  if (!commit) return;
  await enqueue(tx, {
    kind: writeStatusJob,
    payload: subject,
    key: `status ${deploymentId}${left === undefined ? '' : ` ${left}`}`,
    lane: `status ${commit.environment_id}`,
    group: commit.organisation_id,
    delayMs,
  });
}

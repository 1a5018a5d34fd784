import type { Db, Tx } from '../../db/pool.ts';
import type { DeploymentRow } from '../../db/schema.ts';
import { holdJob } from '../../jobs/claim-store.ts';
import type { JobContext } from '../../jobs/job.ts';
import { JobStopped } from '../../jobs/outcome.ts';
import { holdDeployment, holdEnvironment, type HeldEnvironment } from './deployment-store.ts';

/** A release of which nobody else changes anything until the transaction ends. */
export interface HeldRelease extends HeldEnvironment {
  tx: Tx;
  deployment: DeploymentRow;
}

export interface ReleaseStep {
  db: Db;
  deploymentId: string;
  environmentId: string;
  context: JobContext;
  /**
   * Tells once that it begins, and never rejects. What it comes to is told afterwards. Begun where the release waits
   * for something else anyway.
   */
  tellStart: () => Promise<void>;
}

/** Null, and nothing done, when the deployment is no longer this job's to release. */
export async function whileOurs<T>(
  { db, context, ...of }: ReleaseStep,
  work: (held: HeldRelease) => Promise<T>,
): Promise<T | null> {
  return db.transaction().execute(async (tx) => {
    const held = await holdRelease(tx, of);
    if (!held || held.deployment.status !== 'deploying' || held.deployment.job_id !== context.jobId) return null;
    const job = await holdJob(tx, context);
    if (!job) throw new JobStopped('lost');
    // Whoever cancelled it was told that it will not be served, and the signal may not have come yet.
    if (job.isCancelRequested) throw new JobStopped('cancelled');
    return work(held);
  });
}

/** Null when it is gone, or its environment goes. */
export async function holdRelease(
  tx: Tx,
  { deploymentId, environmentId }: Pick<ReleaseStep, 'deploymentId' | 'environmentId'>,
): Promise<HeldRelease | null> {
  const held = await holdEnvironment(tx, environmentId);
  const deployment = held && (await holdDeployment(tx, deploymentId));
  return deployment && held.environment.status !== 'deleting' ? { tx, ...held, deployment } : null;
}

import type { Tx } from '../../db/pool.ts';
import { defineJob } from '../../jobs/job.ts';
import { enqueue } from '../../jobs/queue-store.ts';
import type { NoPayload } from '../../jobs/schedule.ts';

export type OfDeployment = { deploymentId: string };
export type OfEnvironment = { environmentId: string };
export type OfArtifact = { environmentId: string; artifactId: string };

/**
 * Attempts are used up only by workers that die and by faults of our own; a project that does not build is tried once.
 */
export const BUILD_ATTEMPTS = 3;

export const buildJob = defineJob<OfDeployment>('deployments.build', { maxAttempts: BUILD_ATTEMPTS, isGrouped: true });
export const releaseJob = defineJob<OfDeployment>('deployments.release', { maxAttempts: 10 });
export const retainJob = defineJob<OfEnvironment>('deployments.retain');
export const compressJob = defineJob<OfArtifact>('artifacts.compress', { maxAttempts: 3, isGrouped: true });
export const watchJob = defineJob<NoPayload>('deployments.watch', { maxAttempts: 1 });
export const sweepJob = defineJob<NoPayload>('deployments.sweep', { maxAttempts: 1 });

/** Before whatever else the worker has to do: somebody waits for it. */
const RELEASE_PRIORITY = 10;
/** What comes together is then cleared away together. */
const RETAIN_DELAY_MS = 1000;

interface Subject {
  id: string;
  environment_id: string;
  organisation_id: string;
}

/** Both return the job's id. Of one environment's builds one runs at a time, and the same of its releases. */
export async function enqueueBuild(tx: Tx, { id, environment_id, organisation_id }: Subject): Promise<string> {
  const lane = `build ${environment_id}`;
  return (await enqueue(tx, { kind: buildJob, payload: { deploymentId: id }, lane, group: organisation_id })).id;
}

export async function enqueueRelease(
  tx: Tx,
  { id, environment_id }: Omit<Subject, 'organisation_id'>,
): Promise<string> {
  const lane = `release ${environment_id}`;
  return (await enqueue(tx, { kind: releaseJob, payload: { deploymentId: id }, lane, priority: RELEASE_PRIORITY })).id;
}

export async function enqueueRetain(tx: Tx, environmentId: string): Promise<void> {
  const key = `retain ${environmentId}`;
  await enqueue(tx, { kind: retainJob, payload: { environmentId }, key, delayMs: RETAIN_DELAY_MS });
}

export async function enqueueCompress(tx: Tx, subject: OfArtifact & { organisationId: string }): Promise<void> {
  const { environmentId, artifactId, organisationId: group } = subject;
  await enqueue(tx, {
    kind: compressJob,
    payload: { environmentId, artifactId },
    key: `compress ${artifactId}`,
    group,
  });
}

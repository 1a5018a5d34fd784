import type { Db, Store, Tx } from '../../db/pool.ts';
import type { DeploymentRow } from '../../db/schema.ts';
import { holdJob } from '../../jobs/claim-store.ts';
import type { EndedJob, JobContext } from '../../jobs/job.ts';
import { JobStopped } from '../../jobs/outcome.ts';
import type { StaticTarget } from '../../routing/route.ts';
import { publishRoute } from '../../routing/route-store.ts';
import { awaitEdges, releaseTiming, type ReleaseTiming } from './await-edges.ts';
import { isOvertaken } from './deployment.ts';
import {
  findArtifact,
  findDeployment,
  finishDeployment,
  holdDeployment,
  holdEnvironment,
  makeLive,
  readHistory,
  type HeldEnvironment,
} from './deployment-store.ts';
import { enqueueCompress, enqueueRetain } from './job-kinds.ts';
import { appendLines } from './log-store.ts';
import { refreshStatuses } from './refresh-statuses.ts';

export interface ReleaseDeps {
  store: Pick<Store, 'db'>;
  releaseTiming?: ReleaseTiming;
}

/**
 * Switches the environment to the deployment's artifact. Live is only what every edge has confirmed;
 * until then each serves the old one or the new one, whole. A rollback is nothing else.
 */
export async function releaseDeployment(deps: ReleaseDeps, deploymentId: string, context: JobContext): Promise<void> {
  const { db } = deps.store;
  const version = await whileOurs(db, { deploymentId, context }, publish);
  if (version === null) return;
  const problem = await awaitEdges(db, {
    version,
    timing: deps.releaseTiming ?? releaseTiming,
    signal: context.signal,
  });
  await whileOurs(db, { deploymentId, context }, problem === null ? confirm : (held) => giveUp(held, problem));
}

/** The job ended without having come to the release's end. */
export async function endRelease(tx: Tx, deploymentId: string, end: EndedJob): Promise<void> {
  if (end.state === 'done') return;
  const held = await holdAll(tx, deploymentId);
  if (!held || held.deployment.status !== 'deploying' || held.deployment.job_id !== end.jobId) return;
  await giveUp(held, 'The platform could not finish this release. What was served before is still served: try again.');
}

interface Held extends HeldEnvironment {
  tx: Tx;
  deployment: DeploymentRow;
}

/** Returns the version that the edges must reach; null when there is nothing to do. */
async function publish(held: Held): Promise<number | null> {
  const { tx, environment, deployment } = held;
  if (isOvertaken(await readHistory(tx, environment.id), deployment.job_id!)) {
    await giveWay(held);
    return null;
  }
  const target = await targetOf(tx, deployment);
  if (!target) {
    await giveUp(held, 'The files of this deployment are no longer there. Deploy again.');
    return null;
  }
  return publishRoute(tx, { environmentId: environment.id, subdomain: environment.subdomain, target });
}

/** Somebody asked for another one since. What was live once is as good as it was. */
async function giveWay({ tx, deployment }: Held): Promise<void> {
  const change =
    deployment.released_at === null
      ? ({ status: 'cancelled', error: 'Superseded by a newer release.' } as const)
      : ({ status: 'healthy', stage: 'released', error: null } as const);
  await finishDeployment(tx, deployment.id, change);
  await refreshStatuses(tx, deployment.environment_id);
}

async function confirm({ tx, environment, deployment }: Held): Promise<void> {
  await makeLive(tx, deployment);
  const { id: environmentId, organisation_id: organisationId } = environment;
  const artifact = await findArtifact(tx, deployment.artifact_id!);
  if (artifact?.compressed_at === null) {
    await enqueueCompress(tx, { environmentId, organisationId, artifactId: artifact.id });
  }
  await enqueueRetain(tx, environmentId);
  await refreshStatuses(tx, environmentId);
}

/** Edges go back to what was live. */
async function giveUp({ tx, environment, deployment }: Held, error: string): Promise<void> {
  await finishDeployment(tx, deployment.id, { status: 'failed', error });
  await appendLines(tx, deployment.id, [`==> ${error}`]);
  await refreshStatuses(tx, environment.id);
  const live = environment.live_deployment_id && (await findDeployment(tx, environment.live_deployment_id));
  const target = live ? await targetOf(tx, live) : null;
  await publishRoute(tx, { environmentId: environment.id, subdomain: environment.subdomain, target });
}

async function targetOf(tx: Tx, { id, artifact_id }: DeploymentRow): Promise<StaticTarget | null> {
  const artifact = artifact_id && (await findArtifact(tx, artifact_id));
  if (!artifact) return null;
  return { kind: 'static', artifactId: artifact.id, deploymentId: id, revision: artifact.compressed_at ? 1 : 0 };
}

/** Null, and nothing done, when the deployment is no longer this job's to release. */
async function whileOurs<T>(
  db: Db,
  { deploymentId, context }: { deploymentId: string; context: JobContext },
  work: (held: Held) => Promise<T>,
): Promise<T | null> {
  return db.transaction().execute(async (tx) => {
    const held = await holdAll(tx, deploymentId);
    if (!held || held.deployment.status !== 'deploying' || held.deployment.job_id !== context.jobId) return null;
    if (!(await holdJob(tx, context))) throw new JobStopped('lost');
    return work(held);
  });
}

async function holdAll(tx: Tx, deploymentId: string): Promise<Held | null> {
  const row = await findDeployment(tx, deploymentId);
  const held = row && (await holdEnvironment(tx, row.environment_id));
  const deployment = held && (await holdDeployment(tx, deploymentId));
  return deployment && held.environment.status !== 'deleting' ? { tx, ...held, deployment } : null;
}

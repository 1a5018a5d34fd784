import type { Config } from '../../config.ts';
import type { Db, Store, Tx } from '../../db/pool.ts';
import type { DeploymentRow } from '../../db/schema.ts';
import type { EndedJob, JobContext } from '../../jobs/job.ts';
import { publishRoute } from '../../routing/route-store.ts';
import { StartFailed, type Candidates, type Fleet } from '../instances/fleet.ts';
import { awaitEdges, releaseTiming, type ReleaseTiming } from './await-edges.ts';
import { findDeployment, updateDeployment } from './deployment-store.ts';
import { callOff, confirmRelease, giveUp, giveWay, yieldToLater } from './end-release.ts';
import { holdRelease, whileOurs, type HeldRelease, type ReleaseStep } from './hold-release.ts';
import { Overtaken, startCandidates } from './start-candidates.ts';
import { storable } from './storable.ts';
import { targetOf } from './target-of.ts';
import { news, tellEnvironment } from './tell-environment.ts';

export interface ReleaseDeps {
  store: Pick<Store, 'db'>;
  config: Pick<Config, 'home' | 'port' | 'bind' | 'instances' | 'publicUrl' | 'appsDomain'>;
  fleet: Pick<Fleet, 'prepare' | 'settle' | 'serving'>;
  releaseTiming?: ReleaseTiming;
}

/**
 * Switches the environment to the deployment: its files, or instances that were started beside the old ones
 * and answered. Live is only what every edge has confirmed; until then each serves the old one or the new
 * one, whole. A rollback is nothing else.
 */
export async function releaseDeployment(deps: ReleaseDeps, deploymentId: string, context: JobContext): Promise<void> {
  const { db } = deps.store;
  const deployment = await findDeployment(db, deploymentId);
  if (!deployment) return;
  const environmentId = deployment.environment_id;
  const step = { db, deploymentId, environmentId, context, tellStart: once(() => tellStart(db, deployment, context)) };
  if (!deployment.run) return switchTo(deps, step, null);
  try {
    if (isOf(deployment, context)) await releaseInstances(deps, step);
  } finally {
    await deps.fleet.settle({ deploymentId, environmentId });
  }
}

/** Whoever asks again waits for the same. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}

/** By what was read a moment ago: whoever changes something looks again. */
function isOf({ status, job_id }: DeploymentRow, { jobId }: Pick<JobContext, 'jobId'>): boolean {
  return status === 'deploying' && job_id === jobId;
}

/** Nobody waits for it before something is served, and it fails nothing: its end is what must not be lost. */
async function tellStart(db: Db, deployment: DeploymentRow, { jobId, log }: JobContext): Promise<void> {
  if (!isOf(deployment, { jobId })) return;
  await db
    .transaction()
    .execute((tx) => tellEnvironment(tx, deployment, news.releaseStarted(deployment)))
    .catch((error: unknown) => log.warn({ err: error }, 'it was not told that a release begins'));
}

/** The job ended without having come to the release's end. */
export async function endRelease(
  { fleet }: Pick<ReleaseDeps, 'fleet'>,
  tx: Tx,
  { deploymentId, end }: { deploymentId: string; end: EndedJob },
): Promise<void> {
  if (end.state === 'done') return;
  const row = await findDeployment(tx, deploymentId);
  const held = row && (await holdRelease(tx, { deploymentId, environmentId: row.environment_id }));
  if (!held || held.deployment.status !== 'deploying' || held.deployment.job_id !== end.jobId) return;
  if (end.state === 'cancelled') return callOff(held, fleet);
  const error = 'The platform could not finish this release. What was served before is still served: try again.';
  await giveUp(held, { error, fleet });
}

async function releaseInstances(deps: ReleaseDeps, step: ReleaseStep): Promise<void> {
  const { fleet } = deps;
  try {
    const timing = deps.releaseTiming ?? releaseTiming;
    const candidates = await startCandidates({ ...deps, timing }, step);
    if (candidates) await switchTo(deps, step, candidates);
  } catch (error) {
    await step.tellStart();
    if (error instanceof Overtaken) await whileOurs(step, (held) => giveWay(held, fleet));
    else if (error instanceof StartFailed) await whileOurs(step, (held) => fail(held, error, fleet));
    else throw error;
  }
}

async function switchTo(deps: ReleaseDeps, step: ReleaseStep, candidates: Candidates | null): Promise<void> {
  const { fleet, config } = deps;
  const version = await whileOurs(step, (held) => publish(held, candidates, fleet));
  if (version === null) return;
  void step.tellStart();
  const timing = deps.releaseTiming ?? releaseTiming;
  const problem = await awaitEdges(step.db, { version, timing, signal: step.context.signal });
  await step.tellStart();
  await whileOurs(step, (held) =>
    problem === null ? confirmRelease(held, config) : giveUp(held, { error: problem, fleet }),
  );
}

/** Returns the version that the edges must reach; null when there is nothing to do. */
async function publish(
  held: HeldRelease,
  candidates: Candidates | null,
  fleet: ReleaseDeps['fleet'],
): Promise<number | null> {
  const { tx, environment, deployment } = held;
  if (await yieldToLater(held, fleet)) return null;
  const instances = candidates?.addresses() ?? [];
  const target = await targetOf(tx, { environment, deployment, instances });
  if (!target) {
    await giveUp(held, { error: 'The files of this deployment are no longer there. Deploy again.', fleet });
    return null;
  }
  if (candidates && instances.length === 0) await failOf(candidates);
  if (deployment.stage !== 'routing') await updateDeployment(tx, deployment.id, { stage: 'routing' });
  return publishRoute(tx, { environmentId: environment.id, subdomain: environment.subdomain, target });
}

/** Rejects with how they ended, where that is known. */
function failOf({ failure }: Candidates): Promise<never> {
  const unknown = Promise.reject(new StartFailed('The new instances ended before they were used.'));
  return Promise.race([failure, unknown]);
}

function fail(held: HeldRelease, { message, lines }: StartFailed, fleet: ReleaseDeps['fleet']): Promise<void> {
  return giveUp(held, { error: storable(message), lines: lines.map(storable), fleet });
}

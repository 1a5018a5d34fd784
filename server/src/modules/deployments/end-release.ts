import type { Tx } from '../../db/pool.ts';
import type { EnvironmentRow } from '../../db/schema.ts';
import { wakeFleet } from '../../routing/fleet-signal-store.ts';
import type { RouteTarget } from '../../routing/route.ts';
import { findRoute, publishRoute } from '../../routing/route-store.ts';
import { applicationUrl } from '../applications/application.ts';
import type { HostsConfig } from '../environments/subdomain.ts';
import type { Fleet } from '../instances/fleet.ts';
import { clearMissedPush } from '../vcs/hooks/push-trouble-store.ts';
import { enqueueStatus } from '../vcs/statuses/job-kinds.ts';
import { isOvertaken, SUPERSEDED } from './deployment.ts';
import { findArtifact, findDeployment, makeLive, readHistory } from './deployment-store.ts';
import { endAsBefore, endDeployment } from './end-deployment.ts';
import type { HeldRelease } from './hold-release.ts';
import { enqueueCompress, enqueueRetain } from './job-kinds.ts';
import { appendLines } from './log-store.ts';
import { refreshHeld } from './refresh-statuses.ts';
import { targetOf } from './target-of.ts';
import { news, tellEnvironment } from './tell-environment.ts';

/** Every edge serves it. */
export async function confirmRelease(held: HeldRelease, config: HostsConfig): Promise<void> {
  const { tx, environment, deployment } = held;
  await makeLive(tx, deployment);
  // Not by one that was live before: somebody has rolled back.
  if (deployment.released_at === null) await clearMissedPush(tx, deployment);
  await enqueueStatus(tx, { deploymentId: deployment.id });
  const { id: environmentId, organisation_id: organisationId } = environment;
  const artifact = await findArtifact(tx, deployment.artifact_id!);
  if (artifact?.kind === 'static' && artifact.compressed_at === null) {
    await enqueueCompress(tx, { environmentId, organisationId, artifactId: artifact.id });
  }
  const url = applicationUrl(config, environment.subdomain);
  await appendLines(tx, deployment.id, [`==> Live at ${url}`]);
  await tellEnvironment(tx, deployment, news.live(deployment, url));
  await enqueueRetain(tx, environmentId);
  await refreshHeld(tx, held);
  await wakeFleet(tx, environmentId);
}

/** Somebody asked for another one since. */
export async function giveWay(held: HeldRelease, fleet: Pick<Fleet, 'serving'>): Promise<void> {
  const line = wasLive(held) ? 'Another deployment was asked for: this one is not served again.' : SUPERSEDED;
  await stop(held, { why: SUPERSEDED, line, fleet });
}

/** A person cancelled it before visitors came to it. */
export async function callOff(held: HeldRelease, fleet: Pick<Fleet, 'serving'>): Promise<void> {
  const why = held.deployment.error ?? 'Cancelled.';
  await stop(held, { why, line: wasLive(held) ? `Stopped: ${why}` : why, fleet });
}

const wasLive = ({ deployment }: HeldRelease): boolean => deployment.released_at !== null;

interface Stop {
  why: string;
  /** What its log says of it. */
  line: string;
  fleet: Pick<Fleet, 'serving'>;
}

/** What was live once is as good as it was: that it was stopped is told by its stages and its log alone. */
async function stop(held: HeldRelease, { why, line, fleet }: Stop): Promise<void> {
  const { tx, deployment } = held;
  if (wasLive(held)) await endAsBefore(tx, deployment.id);
  else await endDeployment(tx, deployment.id, { status: 'cancelled', error: why });
  await appendLines(tx, deployment.id, [`==> ${line}`]);
  await tellEnvironment(tx, deployment, news.releaseStopped(deployment, why));
  await refreshHeld(tx, held);
  await serveLive(held, fleet);
}

/** True, and it has given way, when somebody asked for another one since. */
export async function yieldToLater(held: HeldRelease, fleet: Pick<Fleet, 'serving'>): Promise<boolean> {
  const { tx, environment, deployment } = held;
  if (!isOvertaken(await readHistory(tx, environment.id), deployment.id)) return false;
  await giveWay(held, fleet);
  return true;
}

/** Edges go back to what was live. The lines are what the deployment's instance said last. */
export async function giveUp(
  held: HeldRelease,
  { error, lines = [], fleet }: { error: string; lines?: readonly string[]; fleet: Pick<Fleet, 'serving'> },
): Promise<void> {
  const { tx, deployment } = held;
  await endDeployment(tx, deployment.id, { status: 'failed', error });
  await appendLines(tx, deployment.id, [...lines, `==> ${error}`]);
  await tellEnvironment(tx, deployment, news.releaseFailed(deployment, error));
  await refreshHeld(tx, held);
  await serveLive(held, fleet);
}

/** Edges go back to what is live, and nobody reaches what was checked: nothing is left of a release that has ended. */
export async function serveLive(
  { tx, environment }: Pick<HeldRelease, 'tx' | 'environment'>,
  fleet: Pick<Fleet, 'serving'>,
): Promise<void> {
  const { id: environmentId, subdomain, live_deployment_id: liveId } = environment;
  await wakeFleet(tx, environmentId);
  const route = await findRoute(tx, environmentId);
  const current = route?.target ?? null;
  if (route && isOf(current, liveId) && !isChecking(current)) return;
  const target = await targetOfLive(tx, { environment, current }, fleet);
  await publishRoute(tx, { environmentId, subdomain, target });
}

const isOf = (target: RouteTarget | null, deploymentId: string | null): boolean =>
  (target?.deploymentId ?? null) === deploymentId;

const isChecking = (target: RouteTarget | null): boolean => target?.kind === 'instances' && target.probe !== null;

async function targetOfLive(
  tx: Tx,
  { environment, current }: { environment: EnvironmentRow; current: RouteTarget | null },
  fleet: Pick<Fleet, 'serving'>,
): Promise<RouteTarget | null> {
  const { id, live_deployment_id: liveId } = environment;
  if (current?.kind === 'instances' && isOf(current, liveId)) return { ...current, probe: null };
  const deployment = liveId && (await findDeployment(tx, liveId));
  return deployment ? targetOf(tx, { environment, deployment, instances: fleet.serving(id) }) : null;
}

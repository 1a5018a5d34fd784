import { wakeFleet } from '../../routing/fleet-signal-store.ts';
import { publishRoute } from '../../routing/route-store.ts';
import { applicationUrl } from '../applications/application.ts';
import type { HostsConfig } from '../environments/subdomain.ts';
import type { Fleet } from '../instances/fleet.ts';
import { isOvertaken, SUPERSEDED } from './deployment.ts';
import { findArtifact, findDeployment, finishDeployment, makeLive, readHistory } from './deployment-store.ts';
import type { HeldRelease } from './hold-release.ts';
import { enqueueCompress, enqueueRetain } from './job-kinds.ts';
import { appendLines } from './log-store.ts';
import { refreshStatuses } from './refresh-statuses.ts';
import { targetOf } from './target-of.ts';
import { news, tellEnvironment } from './tell-environment.ts';

/** Every edge serves it. */
export async function confirmRelease(held: HeldRelease, config: HostsConfig): Promise<void> {
  const { tx, environment, deployment } = held;
  await makeLive(tx, deployment);
  const { id: environmentId, organisation_id: organisationId } = environment;
  const artifact = await findArtifact(tx, deployment.artifact_id!);
  if (artifact?.kind === 'static' && artifact.compressed_at === null) {
    await enqueueCompress(tx, { environmentId, organisationId, artifactId: artifact.id });
  }
  const url = applicationUrl(config, environment.subdomain);
  await appendLines(tx, deployment.id, [`==> Live at ${url}`]);
  await tellEnvironment(tx, deployment, news.live(deployment, url));
  await enqueueRetain(tx, environmentId);
  await refreshStatuses(tx, environmentId);
  await wakeFleet(tx, environmentId);
}

/** Somebody asked for another one since. What was live once is as good as it was. */
export async function giveWay(held: HeldRelease, fleet: Pick<Fleet, 'serving'>): Promise<void> {
  const { tx, deployment } = held;
  const change =
    deployment.released_at === null
      ? ({ status: 'cancelled', error: SUPERSEDED } as const)
      : ({ status: 'healthy', stage: 'released', error: null } as const);
  await finishDeployment(tx, deployment.id, change);
  await tellEnvironment(tx, deployment, news.releaseStopped(deployment, SUPERSEDED));
  await refreshStatuses(tx, deployment.environment_id);
  if (deployment.run) await goBack(held, fleet);
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
  const { tx, environment, deployment } = held;
  await finishDeployment(tx, deployment.id, { status: 'failed', error });
  await appendLines(tx, deployment.id, [...lines, `==> ${error}`]);
  await tellEnvironment(tx, deployment, news.releaseFailed(deployment, error));
  await refreshStatuses(tx, environment.id);
  await goBack(held, fleet);
}

async function goBack({ tx, environment }: HeldRelease, fleet: Pick<Fleet, 'serving'>): Promise<void> {
  const { id: environmentId, subdomain, live_deployment_id: liveId } = environment;
  const deployment = liveId && (await findDeployment(tx, liveId));
  const instances = fleet.serving(environmentId);
  const target = deployment ? await targetOf(tx, { environment, deployment, instances }) : null;
  await wakeFleet(tx, environmentId);
  await publishRoute(tx, { environmentId, subdomain, target });
}

import type { Tx } from '../../db/pool.ts';
import type { DeploymentRow, EnvironmentRow } from '../../db/schema.ts';
import type { InstanceAddress, InstancesTarget, RouteTarget } from '../../routing/route.ts';
import { instancesTarget } from '../instances/instances-target.ts';
import { boundsOf } from '../instances/subject.ts';
import { findArtifact, findPlan } from './deployment-store.ts';

export interface TargetOf {
  environment: EnvironmentRow;
  deployment: DeploymentRow;
  /** Where it runs; of no account where it is static. */
  instances: readonly InstanceAddress[];
}

/** What edges do when the deployment is served; null when its files are gone. */
export async function targetOf(tx: Tx, { environment, deployment, instances }: TargetOf): Promise<RouteTarget | null> {
  const artifact = deployment.artifact_id && (await findArtifact(tx, deployment.artifact_id));
  if (!artifact) return null;
  const { id, run } = deployment;
  if (!run)
    return { kind: 'static', artifactId: artifact.id, deploymentId: id, revision: artifact.compressed_at ? 1 : 0 };
  return instancesTarget({ id, run }, await readBounds(tx, environment), instances);
}

/** The same requests go to the same instances, and whoever knows the token reaches the ones that are checked. */
export async function checkedTarget(
  tx: Tx,
  { environment, deployment, instances }: TargetOf,
  { current, token }: { current: RouteTarget | null; token: string },
): Promise<InstancesTarget> {
  const probe = { token, instances };
  if (current?.kind === 'instances') return { ...current, probe };
  const bounds = await readBounds(tx, environment);
  return { ...instancesTarget({ id: deployment.id, run: deployment.run! }, bounds, []), probe };
}

async function readBounds(tx: Tx, { organisation_id, min_instances: min, max_instances: max }: EnvironmentRow) {
  return boundsOf(await findPlan(tx, organisation_id), { min, max });
}

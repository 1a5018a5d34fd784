import type { InstancesTarget, RouteTarget } from '../../routing/route.ts';
import { publishRoute } from '../../routing/route-store.ts';
import { holdRoute } from './fleet-store.ts';
import type { FleetWorld } from './fleet-world.ts';

export interface Published {
  version: number;
  target: RouteTarget;
}

/**
 * Tells edges which instances take the requests of the deployment that is live. Null, and nothing done, when
 * that is no longer for the fleet to say: another deployment is live, a release is switching the environment
 * to another one, or the environment goes.
 */
export function publishTarget(
  { store, leadership }: Pick<FleetWorld, 'store' | 'leadership'>,
  environmentId: string,
  target: InstancesTarget,
): Promise<Published | null> {
  return store.db.transaction().execute(async (tx) => {
    await leadership.hold(tx);
    const held = await holdRoute(tx, environmentId);
    if (!held || held.status === 'deleting' || held.liveDeploymentId !== target.deploymentId) return null;
    const told = held.target?.kind === 'instances' ? held.target : null;
    if (told?.deploymentId !== target.deploymentId && held.isReleasing) return null;
    // What is being checked is the release's business.
    const whole = { ...target, probe: told?.probe ?? null };
    const version = await publishRoute(tx, { environmentId, subdomain: held.subdomain, target: whole });
    return { version, target: whole };
  });
}

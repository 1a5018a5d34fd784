import { holdEnvironment } from '../deployments/deployment-store.ts';
import { refreshStatuses } from '../deployments/refresh-statuses.ts';
import { writeTrouble } from './fleet-store.ts';
import type { FleetWorld } from './fleet-world.ts';

/** What is wrong with the instances of what is live, and the status that follows from it. */
export function writeDownTrouble(
  { store, leadership }: Pick<FleetWorld, 'store' | 'leadership'>,
  subject: { environmentId: string; deploymentId: string; trouble: string | null },
): Promise<void> {
  return store.db.transaction().execute(async (tx) => {
    await leadership.hold(tx);
    const held = await holdEnvironment(tx, subject.environmentId);
    if (held?.environment.live_deployment_id !== subject.deploymentId) return;
    await writeTrouble(tx, subject);
    await refreshStatuses(tx, subject.environmentId);
  });
}

import { publishRoute } from '../../../routing/route-store.ts';
import { stopDeployments } from '../../deployments/stop-deployments.ts';
import type { FleetBench } from './fleet-bench.ts';

/** Marks the environment as one that goes and withdraws its route, as deleting it does; then what runs is cleared. */
export async function tearDownInstances({
  store,
  fleet,
  environmentId,
}: FleetBench): Promise<{ cleared: Promise<void> }> {
  await store.db.transaction().execute(async (tx) => {
    await stopDeployments(tx, environmentId);
    await tx.updateTable('environments').set({ status: 'deleting' }).where('id', '=', environmentId).execute();
    await publishRoute(tx, { environmentId, subdomain: null, target: null });
  });
  return { cleared: fleet.clear(environmentId, new AbortController().signal) };
}

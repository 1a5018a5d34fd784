import { setTimeout as delay } from 'node:timers/promises';
import type { Deployer } from '../../e2e/deploying.ts';

/** Resolves to the moment a deployment was seen healthy; asks often, and for little. */
export async function healthyAt(deployer: Deployer, environmentId: string, deploymentId: string): Promise<number> {
  const { client, targetOrganisationId } = deployer;
  for (;;) {
    const { status } = await client.call('environments.status', { body: { targetOrganisationId, environmentId } });
    if (['healthy', 'failed', 'degraded'].includes(status)) break;
    await delay(5);
  }
  const seenAt = performance.now();
  await deployer.healthy(deploymentId);
  return seenAt;
}

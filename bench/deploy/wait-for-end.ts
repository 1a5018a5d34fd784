import { setTimeout as delay } from 'node:timers/promises';
import type { Deployer } from '../../e2e/deploying.ts';

/**
 * Resolves to the moment a deployment was seen healthy; asks for little. Asking every few milliseconds takes a
 * third of a core from whatever runs meanwhile, so what takes seconds is asked about less often.
 */
export async function healthyAt(
  deployer: Deployer,
  environmentId: string,
  deploymentId: string,
  everyMs = 5,
): Promise<number> {
  const { client, targetOrganisationId } = deployer;
  for (;;) {
    const { status } = await client.call('environments.status', { body: { targetOrganisationId, environmentId } });
    if (['healthy', 'failed', 'degraded'].includes(status)) break;
    await delay(everyMs);
  }
  const seenAt = performance.now();
  await deployer.healthy(deploymentId);
  return seenAt;
}

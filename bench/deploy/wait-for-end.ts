import { setTimeout as delay } from 'node:timers/promises';
import type { Deployer } from '../../e2e/deploying.ts';

const OFTEN_MS = 5;
const SELDOM_MS = 500;

/** Resolves to the moment a deployment was seen healthy; asks for little, but all the time. */
export async function healthyAt(deployer: Deployer, environmentId: string, deploymentId: string): Promise<number> {
  await settled(deployer, environmentId, OFTEN_MS);
  const seenAt = performance.now();
  await deployer.healthy(deploymentId);
  return seenAt;
}

/**
 * How long a deployment took that began at a time of the clock, by what it says itself. For what takes seconds: who
 * asks twenty times a second takes a sixth of a core from whatever is measured.
 */
export async function tookMs(
  deployer: Deployer,
  environmentId: string,
  { deploymentId, beganAt }: { deploymentId: string; beganAt: number },
): Promise<number> {
  await settled(deployer, environmentId, SELDOM_MS);
  const { completed_at: completedAt } = await deployer.healthy(deploymentId);
  return Date.parse(completedAt!) - beganAt;
}

async function settled({ client, targetOrganisationId }: Deployer, environmentId: string, everyMs: number) {
  for (;;) {
    const { status } = await client.call('environments.status', { body: { targetOrganisationId, environmentId } });
    if (['healthy', 'failed', 'degraded'].includes(status)) return;
    await delay(everyMs);
  }
}

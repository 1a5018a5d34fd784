import type { Deployment } from './describe-deployment.ts';

interface FoundLive {
  listed: Deployment | null;
  /** Served, says the environment, and not in the list: too many came after it, or it came after the list. */
  missingId: string | null;
}

/** What is served, among an environment's deployments; `liveId` is what the environment says of it. */
export function findLive(deployments: readonly Deployment[] | undefined, liveId: string | null): FoundLive {
  const listed = deployments?.find(({ is_live }) => is_live) ?? deployments?.find(({ id }) => id === liveId) ?? null;
  return { listed, missingId: deployments && !listed ? liveId : null };
}

import type { Lilac } from '@lilac/sdk';
import type { Started } from './start-deployment.ts';

const MOST_KEPT = 100;

/** Whether an earlier deployment is served though this one is not; where nobody can tell, nothing is claimed. */
export async function isStillServed(
  lilac: Pick<Lilac, 'call'>,
  { organisationId, environmentId, deploymentId }: Started,
): Promise<boolean> {
  const body = { targetOrganisationId: organisationId, environmentId, limit: MOST_KEPT };
  const all = await lilac.call('deployments.list', { body }).catch(() => []);
  return all.some(({ id, is_live: isLive }) => isLive && id !== deploymentId);
}

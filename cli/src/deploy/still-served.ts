import type { Lilac, Output } from '@lilac/sdk';
import type { Started } from './start-deployment.ts';

const MOST_KEPT = 100;

/** Whether an earlier deployment is served though this one is not; where nobody can tell, nothing is claimed. */
export async function isStillServed(lilac: Pick<Lilac, 'call'>, started: Started): Promise<boolean> {
  return (await findServedInstead(lilac, started)) !== null;
}

/** What is served though this one is not; null also where nobody can tell. */
export async function findServedInstead(
  lilac: Pick<Lilac, 'call'>,
  { organisationId, environmentId, deploymentId }: Started,
): Promise<Output<'deployments.list'>[number] | null> {
  const body = { targetOrganisationId: organisationId, environmentId, limit: MOST_KEPT };
  const all = await lilac.call('deployments.list', { body }).catch(() => []);
  return all.find(({ id, is_live: isLive }) => isLive && id !== deploymentId) ?? null;
}

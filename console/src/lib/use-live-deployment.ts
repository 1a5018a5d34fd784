import { useMember } from '../shell/member-context.ts';
import type { Deployment } from './describe-deployment.ts';
import { findLive } from './find-live.ts';
import { useCall } from './use-call.ts';

/** What an environment serves; one that is not listed is asked for by itself. Null also while it is not known. */
export function useLiveDeployment(
  deployments: readonly Deployment[] | undefined,
  liveId: string | null,
): Deployment | null {
  const targetOrganisationId = useMember().organisation.id;
  const { listed, missingId } = findLive(deployments, liveId);
  const input = missingId === null ? null : { body: { targetOrganisationId, deploymentId: missingId } };
  const { data } = useCall('deployments.get', input);
  return listed ?? (data && data.id === missingId ? data : null);
}

import type { EnvironmentStatus } from '@lilac/contract/states';
import { type Deployment, isMoving, isNewer } from '../../../lib/describe-deployment.ts';
import { begunMs, underWay } from '../../../lib/rollback.ts';
import type { Environment } from '../environment-page.tsx';
import { countMissing } from './say-instances.ts';

type Standing = Pick<Environment, 'status' | 'live_deployment_id'> & Partial<Pick<Environment, 'min_instances'>>;

interface Besides {
  /** That run now; null where they were not counted. */
  instances: number | null;
  /** Newest first; none where they are not known yet. */
  deployments: readonly Deployment[];
  /** Its own domain does not lead to it as it should. */
  isDomainTroubled?: boolean;
}

const served: Record<EnvironmentStatus, string> = {
  pending: 'Nothing has been deployed here yet.',
  deploying: 'A deployment is on its way; until it is ready, what is served stays.',
  healthy: 'It is live, and everything is fine.',
  // An instance that ends, or an attempt that failed while what is served is well: the notice above says which.
  degraded: 'It is live, but something went wrong: see above.',
  failed: 'The last deployment failed; the one before is served.',
  deleting: 'It is being deleted.',
};

const notServed: Record<EnvironmentStatus, string> = {
  ...served,
  deploying: 'A deployment is on its way; nothing is served yet.',
  failed: 'The last deployment failed, and nothing is served.',
};

const DOMAIN_TROUBLED = 'It is live, but its domain needs attention: see below.';
const FAILED_BEFORE_STOPPED = 'The last deployment that was not cancelled failed, and nothing is served.';

/** How an environment is, in a sentence or two. */
export function describeStanding(
  { status, live_deployment_id: liveId, min_instances: atLeast = 0 }: Standing,
  { instances, deployments, isDomainTroubled = false }: Besides,
): string {
  if (status === 'healthy' && instances === 0) {
    return atLeast > 0 ? 'An instance is starting; visitors wait for it.' : 'Asleep: the next visitor wakes it.';
  }
  if (status === 'healthy' && liveId !== null && instances !== null && countMissing(instances, atLeast) > 0) {
    return 'It is live, and more instances are starting.';
  }
  if (liveId === null) {
    if (status === 'failed' && deployments[0]?.status === 'cancelled') return FAILED_BEFORE_STOPPED;
    return (status === 'pending' && describePending(deployments)) || notServed[status];
  }
  if (status === 'healthy' && isDomainTroubled) return DOMAIN_TROUBLED;
  return (status === 'deploying' && describeMoving(deployments)) || served[status];
}

/** Null where nobody has deployed anything. */
function describePending(deployments: readonly Deployment[]): string | null {
  if (deployments.some(isMoving)) return 'A deployment waits for its turn; nothing is served yet.';
  const isStopped = deployments[0]?.status === 'cancelled';
  return isStopped
    ? 'The deployment was cancelled before anything was served. Deploy it again when you are ready.'
    : null;
}

/** Null where nothing is known to move. */
function describeMoving(deployments: readonly Deployment[]): string | null {
  const again = underWay(deployments);
  const anew = deployments.find((each) => isMoving(each) && each.first_run === null);
  if (!again) return anew ? 'A new deployment is on its way; until it is ready, what is served stays.' : null;
  // A new one that was asked for before gives way to it.
  const isFollowed = anew !== undefined && begunMs(anew) > begunMs(again);
  return sayAgain(again, deployments) + (isFollowed ? ' After it, a new deployment is on its way.' : '');
}

function sayAgain(again: Deployment, deployments: readonly Deployment[]): string {
  const live = deployments.find(({ is_live }) => is_live);
  if (live?.id === again.id) return 'The live deployment is being released again.';
  const way = live && isNewer(again, live) ? 'forward to a newer' : 'back to an earlier';
  return `It goes ${way} deployment; until that is ready, what is served stays.`;
}

import type { DeploymentStatus } from '@lilac/contract/states';
import type { CommitState } from '../../../vcs/vcs-host.ts';

/** What a deployment means for its commit; null where there is nothing to tell. */
const states: Record<DeploymentStatus, CommitState | null> = {
  pending: null,
  building: 'pending',
  deploying: 'pending',
  healthy: 'success',
  failed: 'failure',
  cancelled: 'cancelled',
};

export function commitStateOf({ status }: { status: DeploymentStatus }): CommitState | null {
  return states[status];
}

/** Everybody who sees the commit may read them, so they say nothing of what a build has printed. */
export const descriptions: Record<CommitState, string> = {
  pending: 'Being built and released',
  success: 'Live',
  failure: 'The deployment failed',
  cancelled: 'The deployment was stopped, or a newer one took its place',
};

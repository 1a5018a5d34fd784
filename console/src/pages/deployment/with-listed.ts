import { type Deployment, isMoving } from '../../lib/describe-deployment.ts';

/** What the stream does not tell is in the list, as long as that is not older than what it told. */
export function withListed<T extends Deployment>(deployment: T, listed: Deployment | undefined): T {
  if (!listed || isOlder(listed, deployment)) return deployment;
  const { is_live, can_rollback, commit_sha, commit_message } = listed;
  // A stage that was over at once may not have been told.
  const hasMore =
    listed.deployment_stage === deployment.deployment_stage && listed.stages.length > deployment.stages.length;
  const stages = hasMore ? listed.stages : deployment.stages;
  return { ...deployment, is_live, can_rollback, commit_sha, commit_message, stages };
}

/** Also of before a rollback that has ended since. */
function isOlder(listed: Deployment, deployment: Deployment): boolean {
  if (isMoving(deployment)) return false;
  return isMoving(listed) || endedMs(listed) < endedMs(deployment);
}

function endedMs({ completed_at }: Deployment): number {
  return completed_at ? Date.parse(completed_at) : 0;
}

import type { DeploymentStage, DeploymentStatus } from './states.ts';

interface LastRun {
  status: DeploymentStatus;
  stages: readonly { stage: DeploymentStage }[];
}

/**
 * Of one that was live before: it is as good as it was, and nobody was led to it again, since somebody stopped that or
 * asked for another. The end of its log says which.
 */
export function cameToNothing({ status, stages }: LastRun): boolean {
  return status === 'healthy' && stages.length > 0 && stages.at(-1)!.stage !== 'released';
}

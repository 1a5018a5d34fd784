import { type Deployment, isMoving } from './describe-deployment.ts';
import { durationBetween } from './format-duration.ts';

/** A way through the stages: a build with its release, or a release alone. */
export type Run = Pick<Deployment, 'status' | 'deployment_stage' | 'stages' | 'completed_at'>;

type WithRuns = Run & Pick<Deployment, 'first_run'>;

/** The build, and where there was a rollback to it, the last time that it was released again. */
export function runsOf(deployment: WithRuns): { build: Run; again: Run | null } {
  const { first_run } = deployment;
  if (!first_run) return { build: deployment, again: null };
  const again = isGivenUp(deployment) ? stopped(deployment) : deployment;
  return { build: { status: 'healthy', deployment_stage: 'released', ...first_run }, again };
}

/**
 * Of one that was released before: it is as good as it was, and nobody was led to it again, since somebody stopped
 * that, or asked for another.
 */
export function isGivenUp({ status, stages }: Pick<Deployment, 'status' | 'stages'>): boolean {
  return status === 'healthy' && stages.length > 0 && !stages.some(({ stage }) => stage === 'routing');
}

function stopped({ stages, completed_at }: Run): Run {
  const begun = stages.filter(({ stage }) => stage !== 'released');
  return { status: 'cancelled', deployment_stage: begun.at(-1)?.stage ?? 'released', stages: begun, completed_at };
}

/** How long its build and first release took; null until they have ended. */
export function tookMs(deployment: WithRuns & Pick<Deployment, 'started_at'>): number | null {
  const { build } = runsOf(deployment);
  if (isMoving(build) || !build.completed_at) return null;
  return durationBetween(build.stages[0]?.started_at ?? deployment.started_at, build.completed_at);
}

export function runMs(run: Run): number | null {
  const [first] = run.stages;
  return first && run.completed_at && !isMoving(run) ? durationBetween(first.started_at, run.completed_at) : null;
}

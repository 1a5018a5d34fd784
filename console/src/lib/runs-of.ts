import { cameToNothing } from '@lilac/contract/came-to-nothing';
import { type Deployment, isMoving } from './describe-deployment.ts';
import { durationBetween } from '@lilac/contract/format-duration';

/** A way through the stages: a build with its release, or a release alone. */
export type Run = Pick<Deployment, 'status' | 'deployment_stage' | 'stages' | 'completed_at'>;

type WithRuns = Run & Pick<Deployment, 'first_run'>;

/** The build, and where it was to be served once more, back or forward, the last time that it was. */
export function runsOf(deployment: WithRuns): { build: Run; again: Run | null } {
  const { first_run } = deployment;
  if (!first_run) return { build: deployment, again: null };
  const again = cameToNothing(deployment) ? stopped(deployment) : deployment;
  return { build: { status: 'healthy', deployment_stage: 'released', ...first_run }, again };
}

function stopped({ stages, completed_at }: Run): Run {
  return { status: 'cancelled', deployment_stage: stages.at(-1)!.stage, stages, completed_at };
}

/** Not whether it went back or forward: what was served when it began is not known any more. */
export function titleOf(again: Pick<Run, 'status'>): string {
  if (isMoving(again)) return 'Being served again';
  if (again.status === 'healthy') return 'Served again';
  return again.status === 'failed' ? 'Serving it again failed' : 'Serving it again was cancelled';
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

import { deploymentStages } from '@lilac/contract/states';
import type { OutputOf } from '../../lib/api-types.ts';
import { type Deployment, isMoving } from '../../lib/describe-deployment.ts';

type StatusEvent = OutputOf<'deployments.stream'>['status'];
type Moving = Pick<Deployment, 'status' | 'deployment_stage' | 'stages' | 'completed_at' | 'is_live' | 'first_run'>;

/** What a deployment is after the stream has told of a change. */
export function withStatus<T extends Moving>(deployment: T, told: StatusEvent): T {
  const { status, deployment_stage, is_live, at } = told;
  const completed_at = isMoving({ status }) ? null : at;
  return { ...deployment, status, deployment_stage, stages: stagesAfter(deployment, told), completed_at, is_live };
}

function stagesAfter({ stages, first_run }: Moving, { status, deployment_stage: stage, is_live, at }: StatusEvent) {
  // It was good before, and nobody was led to it again: its way ends where it stopped.
  const isStopped = status === 'healthy' && first_run !== null && !is_live;
  if (isStopped || stages.at(-1)?.stage === stage) return stages;
  const place = deploymentStages.indexOf(stage);
  // One that was interrupted comes back to an earlier stage, and does what follows again.
  const kept = stages.filter((each) => deploymentStages.indexOf(each.stage) < place);
  return [...kept, { stage, started_at: at }];
}

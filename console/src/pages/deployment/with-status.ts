import { deploymentStages } from '@lilac/contract/states';
import type { OutputOf } from '../../lib/api-types.ts';
import { type Deployment, isMoving } from '../../lib/describe-deployment.ts';
import { isGivenUp } from '../../lib/runs-of.ts';

type StatusEvent = OutputOf<'deployments.stream'>['status'];
type Moving = Pick<Deployment, 'status' | 'deployment_stage' | 'stages' | 'completed_at' | 'is_live' | 'first_run'>;

/** What a deployment is after the stream has told of a change. */
export function withStatus<T extends Moving>(deployment: T, { status, deployment_stage: stage, at }: StatusEvent): T {
  const completed_at = isMoving({ status }) ? null : at;
  const isSame = deployment.stages.at(-1)?.stage === stage;
  const place = deploymentStages.indexOf(stage);
  // One that was interrupted comes back to an earlier stage, and does what follows again.
  const kept = deployment.stages.filter((each) => deploymentStages.indexOf(each.stage) < place);
  const stages = isSame ? deployment.stages : [...kept, { stage, started_at: at }];
  // It becomes good and is served in one step, unless it was good before.
  const isServed = status === 'healthy' && !(deployment.first_run !== null && isGivenUp({ status, stages }));
  const is_live = isServed || deployment.is_live;
  return { ...deployment, status, deployment_stage: stage, stages, completed_at, is_live };
}

import { type DeploymentStage, deploymentStages, type DeploymentType } from '@lilac/contract/states';
import { type Deployment, isMoving } from '../../lib/describe-deployment.ts';
import { durationBetween } from '../../lib/format-duration.ts';

export interface StageStep {
  stage: DeploymentStage;
  label: string;
  state: 'done' | 'current' | 'failed' | 'stopped' | 'waiting';
  /** How long it took, or takes so far; null where that is not known. */
  ms: number | null;
}

const labels: Record<DeploymentStage, string> = {
  queued: 'Queue',
  fetching: 'Fetch',
  detecting: 'Detect',
  installing: 'Install',
  building: 'Build',
  packaging: 'Pack',
  starting: 'Start',
  checking: 'Check',
  routing: 'Route',
  released: 'Released',
};

type Staged = Pick<Deployment, 'status' | 'deployment_stage' | 'stages' | 'completed_at'>;

/** The way of a deployment: what it has done, what it does, and what is still to come. */
export function stageSteps(deployment: Staged, { type, nowMs }: { type: DeploymentType | null; nowMs: number }) {
  const begun = begunOf(deployment);
  const steps = begun.map(({ stage, started_at }, index): StageStep => {
    const isLast = index === begun.length - 1;
    const end = begun[index + 1]?.started_at ?? (isMoving(deployment) ? nowMs : deployment.completed_at);
    const ms = stage === 'released' || started_at === null || end === null ? null : durationBetween(started_at, end);
    return { stage, label: labels[stage], state: isLast ? lastStateOf(deployment) : 'done', ms };
  });
  return isMoving(deployment) ? [...steps, ...stillToCome(deployment.deployment_stage, type)] : steps;
}

/** Of one that ended before times were kept, only where it ended is known. */
function begunOf({ stages, deployment_stage: stage }: Staged): { stage: DeploymentStage; started_at: string | null }[] {
  return stages.length > 0 ? stages : [{ stage, started_at: null }];
}

function lastStateOf(deployment: Staged): StageStep['state'] {
  if (isMoving(deployment)) return 'current';
  if (deployment.status === 'healthy') return 'done';
  return deployment.status === 'failed' ? 'failed' : 'stopped';
}

/** Files have nothing to be started. */
const onlyOfPrograms: readonly DeploymentStage[] = ['starting', 'checking'];

function stillToCome(current: DeploymentStage, type: DeploymentType | null): StageStep[] {
  return deploymentStages
    .slice(deploymentStages.indexOf(current) + 1)
    .filter((stage) => type !== 'static' || !onlyOfPrograms.includes(stage))
    .map((stage) => ({ stage, label: labels[stage], state: 'waiting', ms: null }));
}

import { type DeploymentStage, deploymentStages, type DeploymentType } from '@lilac/contract/states';
import { isMoving } from '../../lib/describe-deployment.ts';
import { durationBetween, formatDuration } from '@lilac/contract/format-duration';
import type { Run } from '../../lib/runs-of.ts';

export interface StageStep {
  stage: DeploymentStage;
  label: string;
  state: 'done' | 'current' | 'failed' | 'cancelled' | 'waiting';
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

/** The way of a deployment: what it has done, what it does, and what is still to come. */
export function stageSteps(deployment: Run, { type, nowMs }: { type: DeploymentType | null; nowMs: number }) {
  const begun = begunOf(deployment);
  const steps = begun.map(({ stage, started_at }, index): StageStep => {
    const isLast = index === begun.length - 1;
    const end = begun[index + 1]?.started_at ?? (isMoving(deployment) ? nowMs : deployment.completed_at);
    const ms = stage === 'released' || started_at === null || end === null ? null : durationBetween(started_at, end);
    return { stage, label: labels[stage], state: isLast ? lastStateOf(deployment) : 'done', ms };
  });
  if (!isMoving(deployment)) return steps;
  return [...withPassed(steps), ...stillToCome(deployment.deployment_stage, type)];
}

/** Of one that ended before times were kept, only where it ended is known. */
function begunOf({ stages, deployment_stage: stage }: Run): { stage: DeploymentStage; started_at: string | null }[] {
  return stages.length > 0 ? stages : [{ stage, started_at: null }];
}

function lastStateOf(deployment: Run): StageStep['state'] {
  if (isMoving(deployment)) return 'current';
  if (deployment.status === 'healthy') return 'done';
  return deployment.status === 'failed' ? 'failed' : 'cancelled';
}

/** Not every project goes through these. */
const sometimes: readonly DeploymentStage[] = ['installing', 'starting', 'checking'];

/** What is quickly done may be over before it was told: the line must not grow in its middle afterwards. */
function withPassed(steps: StageStep[]): StageStep[] {
  const places = steps.map(({ stage }) => deploymentStages.indexOf(stage));
  return deploymentStages.slice(places[0], places.at(-1)! + 1).flatMap((stage) => {
    const known = steps.find((step) => step.stage === stage);
    if (known) return known;
    return sometimes.includes(stage) ? [] : { stage, label: labels[stage], state: 'done' as const, ms: null };
  });
}

/** Files have nothing to be started. */
const onlyOfPrograms: readonly DeploymentStage[] = ['starting', 'checking'];

function stillToCome(current: DeploymentStage, type: DeploymentType | null): StageStep[] {
  return deploymentStages
    .slice(deploymentStages.indexOf(current) + 1)
    .filter((stage) => type !== 'static' || !onlyOfPrograms.includes(stage))
    .map((stage) => ({ stage, label: labels[stage], state: 'waiting', ms: null }));
}

/** Whole seconds while it counts; nothing where it is not known. */
export function timeOfStep({ state, ms }: StageStep): string {
  if (ms === null) return '';
  return state === 'current' ? formatDuration(Math.floor(ms / 1000) * 1000).replace('.0', '') : formatDuration(ms);
}

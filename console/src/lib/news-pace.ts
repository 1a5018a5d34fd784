import type { ApplicationStatus, EnvironmentStatus } from '@lilac/contract/states';
import { type Deployment, isMoving } from './describe-deployment.ts';

/**
 * How often pages look for news. Every open page asks for as long as somebody sees it, also where nothing has happened
 * for days: so they ask often only while something moves, or while nothing is known yet.
 */
const DEPLOYMENTS_MOVING_MS = 3000;
const MOVING_MS = 5000;
/** Of what others begin, a push above all, people should not wait long to see. */
const DEPLOYMENTS_SETTLED_MS = 15_000;
const SETTLED_MS = 20_000;

/** What changes by the minute or more seldom. */
export const SELDOM_MS = 30_000;

/** One that was made and never deployed is pending for good: it does not move. */
const moving: readonly (ApplicationStatus | EnvironmentStatus)[] = ['building', 'deploying', 'deleting'];

interface Standing {
  status: ApplicationStatus | EnvironmentStatus;
}

export function paceOfDeployments(deployments: readonly Pick<Deployment, 'status'>[] | undefined): number {
  return !deployments || deployments.some(isMoving) ? DEPLOYMENTS_MOVING_MS : DEPLOYMENTS_SETTLED_MS;
}

/** Of an application or an environment. */
export function paceOf(standing: Standing | undefined): number {
  return paceOfAll(standing && [standing]);
}

export function paceOfAll(standings: readonly Standing[] | undefined): number {
  return !standings || standings.some(({ status }) => moving.includes(status)) ? MOVING_MS : SETTLED_MS;
}

/** Of what is warned of: a warning that is shown should go soon after its reason. */
export function paceOfWarnings(warnings: readonly unknown[] | undefined): number {
  return warnings && warnings.length > 0 ? 15_000 : SELDOM_MS;
}

import { type Deployment, isMoving, setAsideFor } from './describe-deployment.ts';

/** That an environment serves an earlier deployment than it could, or is about to. */
export interface Rollback {
  /** What was asked for: it is served, or is on its way to that. */
  wanted: Deployment;
  /** What is served until that is ready; null where it is served already. */
  until: Deployment | null;
  /** The newest that was set aside. */
  newer: Deployment;
  /** Whose archive a new deployment would build; null where it would build the head of a branch. */
  nextArchive: Deployment | null;
}

/** Null where nobody rolled back. Newest first, as they are listed. */
export function rollbackOf(deployments: readonly Deployment[]): Rollback | null {
  const live = deployments.find(({ is_live }) => is_live);
  const wanted = underWay(deployments) ?? live;
  const newer = wanted && setAsideFor(wanted, deployments);
  if (!newer) return null;
  const until = live && live !== wanted ? live : null;
  // Also one that failed: the platform takes the archive that was sent last.
  const nextArchive = deployments.find(({ upload_name }) => upload_name !== null) ?? null;
  return { wanted, until, newer, nextArchive };
}

/** What somebody is going back to at this moment: nobody undoes that unasked either. */
function underWay(deployments: readonly Deployment[]): Deployment | undefined {
  return deployments.find((each) => isMoving(each) && each.first_run !== null);
}

/** Whether a deployment would do the same to both: replace the same by the same. */
export function isSameRollback(one: Rollback | null, other: Rollback | null): boolean {
  const whatFollows = (of: Rollback | null) => [of?.wanted.id, of?.newer.id, of?.nextArchive?.id].join(' ');
  return whatFollows(one) === whatFollows(other);
}

/** All that is told of it: two of the same name must not be taken for each other. */
export function deploymentsOf({ wanted, until, newer, nextArchive }: Rollback): Deployment[] {
  return [wanted, newer, until, nextArchive].filter((each) => each !== null);
}

/** Of an environment, so that no rollback is missed: a long row of failures may stand before what is served. */
export const ALL_DEPLOYMENTS = 100;

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
  return { wanted, until, newer, nextArchive: newestArchive(deployments) };
}

/** Also of one that failed: the platform takes the archive that was sent last. */
export function newestArchive(deployments: readonly Deployment[]): Deployment | null {
  return deployments.find(({ upload_name }) => upload_name !== null) ?? null;
}

/** What somebody is going back to at this moment: nobody undoes that unasked either. Of two, who asked last wins. */
export function underWay(deployments: readonly Deployment[]): Deployment | undefined {
  return deployments
    .filter((each) => isMoving(each) && each.first_run !== null)
    .toSorted((one, other) => begunMs(other) - begunMs(one))[0];
}

/** When its last run began: of one that is served again, not its build. */
export function begunMs({ stages, started_at }: Deployment): number {
  return Date.parse(stages[0]?.started_at ?? started_at);
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

/**
 * Of an environment: a long row of failures may stand before what is served. Kept are the last 20, the last 10 that
 * were live, and what moves. There are more than a list can hold only for as long as no worker has forgotten the rest.
 */
export const ALL_DEPLOYMENTS = 100;

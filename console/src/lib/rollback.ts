import { type Deployment, isMoving, setAsideFor } from './describe-deployment.ts';

/** That an environment serves an earlier deployment than it could, or is about to. */
export interface Rollback {
  live: Deployment;
  /** The newest that was set aside. */
  newer: Deployment;
  /** Whose archive a new deployment would build; null where it would build the head of a branch. */
  nextArchive: Deployment | null;
}

/** Null where nobody rolled back. Newest first, as they are listed. */
export function rollbackOf(deployments: readonly Deployment[]): Rollback | null {
  const live = underWay(deployments) ?? deployments.find(({ is_live }) => is_live);
  const newer = live && setAsideFor(live, deployments);
  if (!newer) return null;
  // Also one that failed: the platform takes the archive that was sent last.
  return { live, newer, nextArchive: deployments.find(({ upload_name }) => upload_name !== null) ?? null };
}

/** What somebody is going back to at this moment: nobody undoes that unasked either. */
function underWay(deployments: readonly Deployment[]): Deployment | undefined {
  return deployments.find((each) => isMoving(each) && each.first_run !== null);
}

/** Of an environment, so that no rollback is missed: a long row of failures may stand before what is served. */
export const ALL_DEPLOYMENTS = 100;

import { type Deployment, setAside } from './describe-deployment.ts';

/** That an environment serves an earlier deployment than it could. */
export interface Rollback {
  live: Deployment;
  /** The newest that was set aside. */
  newer: Deployment;
  /** Whose archive a new deployment would build; null where it would build the head of a branch. */
  nextArchive: Deployment | null;
}

/** Null where nobody rolled back. Newest first, as they are listed. */
export function rollbackOf(deployments: readonly Deployment[]): Rollback | null {
  const newer = setAside(deployments);
  const live = deployments.find(({ is_live }) => is_live);
  if (!newer || !live) return null;
  // Also one that failed: the platform takes the archive that was sent last.
  return { live, newer, nextArchive: deployments.find(({ upload_name }) => upload_name !== null) ?? null };
}

/** Of an environment, so that no rollback is missed: a long row of failures may stand before what is served. */
export const ALL_DEPLOYMENTS = 100;

import type { Severity } from '@lilac/contract/states';
import type { Tx } from '../../db/pool.ts';
import type { DeploymentRow } from '../../db/schema.ts';
import { tellLog } from '../../logs/tell-log.ts';

/** What became of a deployment, as the log of its environment has it. */
export interface News {
  severity: Severity;
  message: string;
}

/** A line about a deployment in the log of its environment. */
export function tellEnvironment(
  tx: Tx,
  { id: deploymentId, environment_id: environmentId }: Pick<DeploymentRow, 'id' | 'environment_id'>,
  { severity, message }: News,
): Promise<void> {
  return tellLog(tx, { environmentId, deploymentId, severity, message });
}

type Source = Pick<DeploymentRow, 'vcs_branch' | 'commit_sha'>;
type Release = Pick<DeploymentRow, 'id' | 'released_at' | 'commit_sha' | 'upload_name'>;

const info = (message: string): News => ({ severity: 'INFO', message });
const failure = (message: string): News => ({ severity: 'ERROR', message });

export const news = {
  buildStarted: ({ vcs_branch: branch }: Source, isAgain: boolean): News => {
    if (isAgain) {
      return { severity: 'WARN', message: 'The build was interrupted. It starts again from the beginning.' };
    }
    return info(branch === null ? 'Build of the archive started.' : `Build of ${branch} started.`);
  },
  buildSucceeded: (source: Source): News => info(`Build succeeded${ofCommit(source)}.`),
  buildFailed: (why: string): News => failure(`Build failed. ${why}`),
  /** The build was under way, or had not begun. */
  buildStopped: (why: string): News => info(`Build stopped. ${why}`),
  neverBuilt: (why: string): News => info(`A deployment was not built. ${why}`),
  releaseStarted: (release: Release): News => info(`${kindOf(release)} started${ofRelease(release)}.`),
  releaseStopped: (release: Release, why: string): News => info(`${kindOf(release)} stopped. ${why}`),
  releaseFailed: (release: Release, why: string): News => failure(`${kindOf(release)} failed. ${why}`),
  live: (release: Release, url: string): News =>
    info(`${isRollback(release) ? 'Rolled back. ' : ''}Live at ${url}${ofRelease(release)}.`),
  lost: (why: string): News => failure(`A deployment failed. ${why}`),
};

/** What was live once goes there by a rollback only. */
const isRollback = ({ released_at }: Release): boolean => released_at !== null;
const kindOf = (release: Release): string => (isRollback(release) ? 'Rollback' : 'Release');

const SHORT_SHA = 7;

function ofCommit({ commit_sha: sha }: Pick<DeploymentRow, 'commit_sha'>): string {
  return sha === null ? '' : ` (commit ${sha.slice(0, SHORT_SHA)})`;
}

/** What was uploaded has no commit: people know it by its archive, and what has neither by its deployment. */
function ofRelease({ id, commit_sha, upload_name }: Release): string {
  if (commit_sha !== null) return ofCommit({ commit_sha });
  return upload_name === null ? ` (deployment ${id})` : ` (archive ${upload_name})`;
}

import type { ApplicationRow } from '../../db/schema.ts';
import { invalid } from '../../lib/fault.ts';
import { assertBranchPatterns } from '../vcs/webhooks/assert-branch-patterns.ts';
import type { PushColumn } from './application-store.ts';

export interface GivenPush {
  autoDeployOnPush?: boolean | undefined;
  autoDeployBranches?: string[] | undefined;
  autoDeleteStaleEnvs?: boolean | undefined;
}

/** What the caller has said of pushes, and what follows from it: whoever names branches wants them deployed. */
export function readPushSettings(given: GivenPush): Partial<Pick<ApplicationRow, PushColumn>> {
  const branches = given.autoDeployBranches?.map((pattern) => pattern.trim());
  if (branches) assertBranchPatterns('autoDeployBranches', branches);
  const namesBranches = branches !== undefined && branches.length > 0;
  if (namesBranches && given.autoDeployOnPush === false) {
    throw invalid(
      'autoDeployBranches does nothing while autoDeployOnPush is false: leave it out, or give autoDeployOnPush: true.',
    );
  }
  const isOnPush = given.autoDeployOnPush ?? (namesBranches ? true : undefined);
  return {
    ...(isOnPush !== undefined && { auto_deploy_on_push: isOnPush }),
    ...(branches && { auto_deploy_branches: branches }),
    ...(given.autoDeleteStaleEnvs !== undefined && { auto_delete_stale_envs: given.autoDeleteStaleEnvs }),
  };
}

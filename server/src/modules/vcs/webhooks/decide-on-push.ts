import type { ApplicationRow, DeploymentRow, EnvironmentRow } from '../../../db/schema.ts';
import { matchesBranch } from './match-branch.ts';

/** So many environments of an application may be there because somebody pushed a branch. */
export const MOST_MADE_BY_PUSH = 50;

export type PushedApplication = Pick<
  ApplicationRow,
  'vcs_branch' | 'auto_deploy_on_push' | 'auto_deploy_branches' | 'auto_delete_stale_envs'
>;

export interface PushedEnvironment extends Pick<
  EnvironmentRow,
  'id' | 'vcs_branch' | 'is_production' | 'auto_deploy' | 'made_by_push' | 'status'
> {
  /** The newest deployment of the environment. */
  newest: Pick<DeploymentRow, 'status' | 'commit_sha' | 'created_at'> | null;
  /** Where its branch was last seen here: by a push, or by a deployment that read it. */
  lastHead: string | null;
  /** An older deployment was asked for since the newest was: somebody has rolled back. */
  isRolledBack: boolean;
}

/** What a host has told of a branch, and what git says of it now. */
export interface Push {
  branch: string;
  /** The host says that the branch was deleted. */
  isDeletion: boolean;
  /** Where the branch is, by git's own word; null: there is no such branch. */
  head: string | null;
  /** The message of the head commit; null while nobody has read it. */
  message: string | null;
  /** Where the branch was when a push of it was last acted on; null: nobody knows. */
  lastSeen: string | null;
  receivedAt: Date;
}

export interface Decision {
  /** The ids of environments. */
  deploy: string[];
  remove: string[];
  /** The branch gets an environment of its own. */
  create: boolean;
  /** It would, if the application had not too many of them. */
  isFull: boolean;
}

const nothing: Decision = { deploy: [], remove: [], create: false, isFull: false };

/** Where host and git do not agree, another push has come in between, and will be told of by itself. */
export function decideOnPush(
  application: PushedApplication,
  environments: readonly PushedEnvironment[],
  push: Push,
): Decision {
  const living = environments.filter(({ status }) => status !== 'deleting');
  const followers = living.filter(({ vcs_branch }) => (vcs_branch ?? application.vcs_branch) === push.branch);
  if (push.isDeletion || push.head === null) {
    const isGone = push.isDeletion && push.head === null && application.auto_delete_stale_envs;
    return { ...nothing, remove: isGone ? followers.filter((each) => !each.is_production).map(({ id }) => id) : [] };
  }
  if (asksToSkip(push.message)) return nothing;
  const lacking = followers.filter((each) => each.auto_deploy && !hasCommit(each, push));
  if (followers.length > 0) return { ...nothing, deploy: lacking.map(({ id }) => id) };
  // There was one for this very commit, and somebody has deleted it: a host tells of the push again.
  if (!wantsEnvironment(application, push.branch) || push.lastSeen === push.head) return nothing;
  const isFull = living.filter(({ made_by_push }) => made_by_push).length >= MOST_MADE_BY_PUSH;
  return { ...nothing, create: !isFull, isFull };
}

export const buildsSomething = ({ deploy, create }: Decision): boolean => create || deploy.length > 0;

export function asksToSkip(message: string | null): boolean {
  return message !== null && /\[skip deploy\]/i.test(message);
}

export function wantsEnvironment(application: PushedApplication, branch: string): boolean {
  return application.auto_deploy_on_push && matchesBranch(application.auto_deploy_branches, branch);
}

/**
 * One that failed before this push was told of is tried again; one that failed since may be this push's own. What
 * somebody has rolled back to stays until the branch moves, however often a host tells of what was there before.
 */
function hasCommit({ newest, lastHead, isRolledBack }: PushedEnvironment, { head, receivedAt }: Push): boolean {
  if (!newest) return false;
  if (isRolledBack) return lastHead === head;
  if ((newest.commit_sha ?? lastHead) !== head) return false;
  return newest.status !== 'failed' || newest.created_at >= receivedAt;
}

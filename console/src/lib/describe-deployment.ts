import type { DeploymentStatus } from '@lilac/contract/states';
import type { OutputOf } from './api-types.ts';

export type Deployment = OutputOf<'deployments.list'>[number];

const moving: readonly DeploymentStatus[] = ['pending', 'building', 'deploying'];

export function isMoving({ status }: Pick<Deployment, 'status'>): boolean {
  return moving.includes(status);
}

/** What people call it: what its commit says of itself. */
export function nameDeployment({ commit_message, commit_sha }: Pick<Deployment, 'commit_message' | 'commit_sha'>) {
  const subject = commit_message?.split('\n', 1)[0]?.trim();
  if (subject) return subject;
  return commit_sha ? `Commit ${shortSha(commit_sha)}` : 'Deployment';
}

export function shortSha(sha: string): string {
  return sha.slice(0, 7);
}

import type { DeploymentStatus } from '@lilac/contract/states';
import type { OutputOf } from './api-types.ts';
import { formatMoment } from './format-time.ts';
import { showMarks } from './visible-name.ts';

export type Deployment = OutputOf<'deployments.list'>[number];
export type NamedDeployment = Pick<Deployment, 'commit_message' | 'commit_sha' | 'upload_name' | 'started_at'>;

const moving: readonly DeploymentStatus[] = ['pending', 'building', 'deploying'];

export function isMoving({ status }: Pick<Deployment, 'status'>): boolean {
  return moving.includes(status);
}

/** What people call it: what its commit says of itself, or which archive it is and of when. */
export function nameDeployment({ commit_message, commit_sha, upload_name, started_at }: NamedDeployment): string {
  const subject = commit_message?.split('\n', 1)[0]?.trim();
  if (subject) return showMarks(subject);
  if (commit_sha) return `Commit ${shortSha(commit_sha)}`;
  return `${showMarks(upload_name ?? 'Deployment')}, ${formatMoment(started_at)}`;
}

/** What two of the same name differ by, the most telling first. */
const differences: readonly ((deployment: NamedDeployment & Pick<Deployment, 'id'>) => string | null)[] = [
  ({ commit_sha }) => commit_sha && shortSha(commit_sha),
  ({ started_at }) => formatMoment(started_at),
  ({ id }) => `…${id.slice(-6)}`,
];

/** Its name, and where another of these has the same, what tells it from that. */
export function nameAmong<T extends NamedDeployment & Pick<Deployment, 'id'>>(own: T, all: readonly T[]): string {
  const name = nameDeployment(own);
  const same = all.filter((each) => each.id !== own.id && nameDeployment(each) === name);
  if (same.length === 0) return name;
  const tellingOf = differences.find((of) => of(own) !== null && same.every((each) => of(each) !== of(own)));
  return `${name} (${(tellingOf ?? differences.at(-1)!)(own)})`;
}

export function shortSha(sha: string): string {
  return sha.slice(0, 7);
}

type Standing = Pick<Deployment, 'status' | 'is_live' | 'can_rollback' | 'first_run' | 'started_at'>;

/** The newest that was set aside for what is served now; null unless somebody rolled back. */
export function setAside<T extends Standing>(deployments: readonly T[]): T | null {
  const live = deployments.find(({ is_live }) => is_live);
  if (!live) return null;
  return setAsideFor(live, deployments);
}

/** Where that one is served. Also one that was served and could not be a second time. */
export function setAsideFor<T extends Standing>(served: T, deployments: readonly T[]): T | null {
  const wasServed = ({ status, can_rollback, first_run }: T) =>
    status === 'healthy' || can_rollback || first_run !== null;
  return deployments.find((each) => wasServed(each) && isNewer(each, served)) ?? null;
}

export function isNewer(one: Pick<Deployment, 'started_at'>, other: Pick<Deployment, 'started_at'>): boolean {
  return Date.parse(one.started_at) > Date.parse(other.started_at);
}

import type { ApplicationStatus, DeploymentStatus, EnvironmentStatus } from '@lilac/contract/states';
import type { DeploymentRow } from '../../db/schema.ts';

/** So many deployments of an environment are kept to look at. */
export const HISTORY_LENGTH = 20;
/** So many of those that were live can be served again. */
export const ROLLBACK_WINDOW = 10;

/** Why one that was asked for earlier has ended. */
export const SUPERSEDED = 'Superseded by a newer release.';

/** What the rules look at. */
export type Entry = Pick<
  DeploymentRow,
  'id' | 'status' | 'artifact_id' | 'job_id' | 'asked' | 'created_at' | 'completed_at' | 'released_at'
>;

/** All deployments of one environment, newest first, and the one that is served. */
export interface History {
  liveId: string | null;
  /** Something is wrong with the instances of what is served. */
  hasTrouble: boolean;
  entries: readonly Entry[];
}

const movingStatuses: readonly DeploymentStatus[] = ['pending', 'building', 'deploying'];

export function isMoving({ status }: Pick<Entry, 'status'>): boolean {
  return movingStatuses.includes(status);
}

/**
 * Pending: nothing was ever released, and nothing is being made. Deploying: something moves; one that
 * only waits counts too where something is served, so that who polls does not take the old state for
 * the outcome. Otherwise what ended last decides: if it failed, what is served is not what was wanted. Nor is
 * it when its instances cannot be kept running.
 */
export function environmentStatusOf({ liveId, hasTrouble, entries }: History): EnvironmentStatus {
  const moving = entries.filter(isMoving);
  if (moving.some(({ status }) => liveId !== null || status !== 'pending')) return 'deploying';
  if (moving.length > 0) return 'pending';
  const hasFailed = lastEnded(entries)?.status === 'failed';
  if (liveId !== null) return hasFailed || hasTrouble ? 'degraded' : 'healthy';
  return hasFailed ? 'failed' : 'pending';
}

/** That of production, with what is being built told apart. */
export function applicationStatusOf(production: History): ApplicationStatus {
  const isBuilding = production.entries.some(({ status }) => status === 'building');
  return isBuilding ? 'building' : environmentStatusOf(production);
}

/** Where a release begins: files only need to be routed to. */
export function firstReleaseStage({ run }: { run: object | null }): 'starting' | 'routing' {
  return run ? 'starting' : 'routing';
}

/** Who was cancelled has neither succeeded nor failed. */
function lastEnded(entries: readonly Entry[]): Entry | undefined {
  const ended = entries.filter((entry) => !isMoving(entry) && entry.status !== 'cancelled');
  return ended.toSorted((a, b) => timeOf(b.completed_at) - timeOf(a.completed_at))[0];
}

/** The deployments that can be served again: the last ten that were live and whose files are still there. */
export function rollbackTargets(entries: readonly Entry[]): ReadonlySet<string> {
  return new Set(lastReleased(entries).map(({ id }) => id));
}

function lastReleased(entries: readonly Entry[]): Entry[] {
  return entries
    .filter(({ released_at, artifact_id }) => released_at !== null && artifact_id !== null)
    .toSorted((a, b) => timeOf(b.released_at) - timeOf(a.released_at))
    .slice(0, ROLLBACK_WINDOW);
}

/** What nobody needs any more: whole deployments, and the artifacts of others. */
export function whatToForget({ liveId, entries }: Pick<History, 'liveId' | 'entries'>): {
  deploymentIds: string[];
  artifactIds: string[];
} {
  const targets = rollbackTargets(entries);
  const isNeeded = (entry: Entry) => entry.id === liveId || isMoving(entry) || targets.has(entry.id);
  const idle = entries.filter((entry) => !isNeeded(entry));
  const recent = new Set(entries.slice(0, HISTORY_LENGTH));
  return {
    deploymentIds: idle.filter((entry) => !recent.has(entry)).map(({ id }) => id),
    artifactIds: idle.flatMap(({ artifact_id }) => artifact_id ?? []),
  };
}

/**
 * Whether one that was asked for later than this one is served, or is being released: who asked last wins, though
 * the other may have been built faster, or needed no build.
 */
export function isOvertaken({ liveId, entries }: Pick<History, 'liveId' | 'entries'>, deploymentId: string): boolean {
  const own = entries.find(({ id }) => id === deploymentId);
  return entries.some(
    ({ id, status, asked }) =>
      own !== undefined &&
      BigInt(asked) > BigInt(own.asked) &&
      (status === 'deploying' || (id === liveId && status === 'healthy')),
  );
}

function timeOf(date: Date | null): number {
  return date?.getTime() ?? 0;
}

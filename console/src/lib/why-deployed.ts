import type { OutputOf } from './api-types.ts';
import { type Deployment, isNewer } from './describe-deployment.ts';
import { showMarks } from './visible-name.ts';

export type EnvironmentEntry = OutputOf<'environments.activity'>[number];
type Told = Pick<Deployment, 'id' | 'commit_sha' | 'started_at'>;

/** Who the activity says did it where a push has: nobody. */
const PLATFORM = 'platform';

/**
 * Why a deployment is there and by whom, as the activity tells it; null where that says nothing of it, as of what was
 * done before it named deployments. All of its environment are newest first, and so are the entries.
 */
export function whyDeployed(
  deployment: Told,
  { deployments, entries }: { deployments: readonly Told[]; entries: readonly EnvironmentEntry[] },
): string | null {
  const begun = entries.find(({ deployment_id, action }) => deployment_id === deployment.id && beginnings.has(action));
  if (!begun) return null;
  const before = deployments.find((each) => isNewer(deployment, each));
  const what = begun.action === 'application_created' ? 'First deployment' : sayAgain(deployment, before);
  const said = begun.actor_email === PLATFORM ? 'Pushed' : `${what} by ${showMarks(begun.actor_email)}`;
  return before && hasNewVariables(entries, { since: before, until: begun }) ? `${said}, with changed variables` : said;
}

const beginnings = new Set(['application_created', 'deployment_started']);

/** Of archives nobody can tell: two of one name may be two. */
function sayAgain({ commit_sha: sha }: Told, before: Told | undefined): string {
  return sha !== null && sha === before?.commit_sha ? 'Same commit again,' : 'Deployed';
}

function hasNewVariables(
  entries: readonly EnvironmentEntry[],
  { since, until }: { since: Told; until: EnvironmentEntry },
): boolean {
  const isBetween = (time: string) =>
    Date.parse(time) > Date.parse(since.started_at) && Date.parse(time) <= Date.parse(until.created_at);
  return entries.some(({ action, created_at }) => action === 'environment_vars_updated' && isBetween(created_at));
}

/** Who went back to it last, and when; null where nobody did, or that is not told. */
export function lastRollback(
  { id }: Pick<Deployment, 'id'>,
  entries: readonly EnvironmentEntry[],
): { text: string; at: string } | null {
  const entry = entries.find((each) => each.deployment_id === id && each.action === 'deployment_rolled_back');
  return entry ? { text: `Rollback by ${showMarks(entry.actor_email)}`, at: entry.created_at } : null;
}

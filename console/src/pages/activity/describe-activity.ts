import type { OutputOf } from '../../lib/api-types.ts';
import { type Deployment, nameDeployment, type NamedDeployment, shortSha } from '../../lib/describe-deployment.ts';
import { formatMoment } from '../../lib/format-time.ts';

export type ActivityEntry = OutputOf<'organisations.activity'>[number];
export type KnownDeployment = NamedDeployment & Pick<Deployment, 'id'>;

/** Words that an action's name shortens. */
const words: Record<string, string> = { api: 'API', vars: 'variables' };

/** `api_key_created` is "API key created": the platform's own word, as people read it. */
export function describeAction(action: string): string {
  const text = action
    .split('_')
    .map((word) => words[word] ?? word)
    .join(' ');
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/**
 * Which deployment, in a word or two: its commit, or its archive and when; of one that is not known, the end of its id.
 */
export function sayWhich(id: string, known: readonly KnownDeployment[]): string {
  const own = known.find((each) => each.id === id);
  if (!own) return `…${id.slice(-6)}`;
  const { commit_sha: sha, started_at } = own;
  if (sha === null) return nameDeployment(own);
  const isOnly = known.every((each) => each.id === id || each.commit_sha !== sha);
  return isOnly ? shortSha(sha) : `${shortSha(sha)}, ${formatMoment(started_at)}`;
}

/** Whether its deployment is kept no longer: those known are later than the entry, and it is not among them. */
export function isGone(
  { deployment_id: id, created_at }: Pick<ActivityEntry, 'deployment_id' | 'created_at'>,
  known: readonly KnownDeployment[],
): boolean {
  const isLater = ({ started_at }: KnownDeployment) => Date.parse(started_at) > Date.parse(created_at);
  return known.some(isLater) && known.every((each) => each.id !== id);
}

const ofDomains = /^(custom_domain|certificate)_/;
const ofDatabases = /^database_/;

/** Whether it was done to something beside the environment itself, which the organisation's list names. */
export function hasTarget(action: string): boolean {
  return ofDomains.test(action) || ofDatabases.test(action);
}

/** That by its name: "Shop / preview: www.example.org" is the domain alone. Null where it is not told. */
export function nameTarget({ action, subject }: Pick<ActivityEntry, 'action' | 'subject'>): string | null {
  if (ofDatabases.test(action)) return subject;
  if (!ofDomains.test(action)) return null;
  // No name of a domain has such a mark, and those before it may.
  return /: ([^\s:]+)$/.exec(subject ?? '')?.[1] ?? null;
}

type Place = Pick<ActivityEntry, 'action' | 'application_id' | 'environment_id' | 'database_id'>;

/** Where what it was done to can be seen; null where there is no such page, or it is gone. */
export function subjectPath({ action, application_id, environment_id, database_id }: Place): string | null {
  if (deletions.has(action)) return null;
  // Of what connects the two, the subject is the database.
  if (database_id) return `/databases/${database_id}`;
  if (environment_id && !action.startsWith('application_')) return `/environments/${environment_id}`;
  if (application_id) return `/apps/${application_id}`;
  return pages.find(([begin]) => action.startsWith(begin))?.[1] ?? null;
}

const deletions = new Set(['application_deleted', 'environment_deleted', 'database_deleted']);

const pages: readonly (readonly [begin: string, path: string])[] = [
  ['database_', '/databases'],
  ['api_key_', '/keys'],
  ['member_', '/members'],
  ['invitation_', '/members'],
  ['folder_', '/'],
  ['installation_', '/repositories'],
  ['connection_', '/repositories'],
  ['organisation_', '/organisation'],
  ['plan_', '/organisation'],
];

import type { OutputOf } from '../../lib/api-types.ts';

export type ActivityEntry = OutputOf<'organisations.activity'>[number];

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

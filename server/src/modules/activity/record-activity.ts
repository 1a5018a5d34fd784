import type { Tx } from '../../db/pool.ts';
import { newId } from '../../lib/ids.ts';
import { insertActivity } from './activity-store.ts';
import type { Action, Doer } from './activity.ts';

export interface Deed {
  organisationId: string;
  applicationId?: string;
  /** What an environment's activity shows is what names it. */
  environmentId?: string;
  databaseId?: string;
  /** The deployment that the action began, or was done to. */
  deploymentId?: string;
  action: Action;
  /** What it was done to, by name. Left out: the application, and the environment within it. */
  subject?: string;
  /** What within that, such as a domain; where `subject` is left out. */
  detail?: string;
  /** The organisation has it already, by another environment that it touched. */
  isRepeated?: boolean;
  caller: Doer;
}

/** Takes the transaction that does the deed: neither is ever there without the other. */
export function recordActivity(tx: Tx, deed: Deed): Promise<void> {
  return insertActivity(tx, {
    id: newId('act'),
    organisationId: deed.organisationId,
    applicationId: deed.applicationId ?? null,
    environmentId: deed.environmentId ?? null,
    databaseId: deed.databaseId ?? null,
    deploymentId: deed.deploymentId ?? null,
    action: deed.action,
    subject: deed.subject ?? null,
    detail: deed.detail ?? null,
    isRepeated: deed.isRepeated ?? false,
    actor: deed.caller,
  });
}

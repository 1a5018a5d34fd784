import type { Tx } from '../../db/pool.ts';
import type { Caller } from '../../http/handler.ts';
import { newId } from '../../lib/ids.ts';
import { insertActivity } from './activity-store.ts';
import type { Action, HouseActor } from './activity.ts';

export interface Deed {
  organisationId: string;
  applicationId?: string;
  /** What an environment's activity shows is what names it. */
  environmentId?: string;
  action: Action;
  caller: Caller | HouseActor;
}

/** Takes the transaction that does the deed: neither is ever there without the other. */
export function recordActivity(tx: Tx, deed: Deed): Promise<void> {
  return insertActivity(tx, {
    id: newId('act'),
    organisationId: deed.organisationId,
    applicationId: deed.applicationId ?? null,
    environmentId: deed.environmentId ?? null,
    action: deed.action,
    actor: deed.caller,
  });
}

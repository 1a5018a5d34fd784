import type { Tx } from '../../db/pool.ts';
import type { DatabaseRow } from '../../db/schema.ts';
import type { Action } from '../activity/activity.ts';
import { recordActivity } from '../activity/record-activity.ts';

export type DatabaseEvent = Extract<
  Action,
  | 'database_failed_over'
  | 'database_restarted'
  | 'database_full'
  | 'database_writable'
  | 'database_imported'
  | 'database_import_failed'
  | 'database_change_failed'
>;

/** What happened to a database stands among what people did to it, and so does what became of what they asked for. */
export function tellEvent(
  tx: Tx,
  {
    id: databaseId,
    organisation_id: organisationId,
    name: subject,
  }: Pick<DatabaseRow, 'id' | 'organisation_id' | 'name'>,
  action: DatabaseEvent,
): Promise<void> {
  return recordActivity(tx, { organisationId, databaseId, subject, action, caller: 'platform' });
}

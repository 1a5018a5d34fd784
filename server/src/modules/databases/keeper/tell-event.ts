import type { Tx } from '../../../db/pool.ts';
import type { DatabaseRow } from '../../../db/schema.ts';
import type { Action } from '../../activity/activity.ts';
import { recordActivity } from '../../activity/record-activity.ts';

export type DatabaseEvent = Extract<
  Action,
  'database_failed_over' | 'database_restarted' | 'database_full' | 'database_writable'
>;

/** What happened to a database without anybody's doing stands among what people did to it. */
export function tellEvent(
  tx: Tx,
  { organisation_id: organisationId, name: subject }: Pick<DatabaseRow, 'organisation_id' | 'name'>,
  action: DatabaseEvent,
): Promise<void> {
  return recordActivity(tx, { organisationId, subject, action, caller: 'platform' });
}

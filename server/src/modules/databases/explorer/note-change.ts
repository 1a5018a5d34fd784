import type { Db } from '../../../db/pool.ts';
import type { DatabaseRow } from '../../../db/schema.ts';
import type { Caller } from '../../../http/handler.ts';
import type { Action } from '../../activity/activity.ts';
import { recordActivity } from '../../activity/record-activity.ts';

export interface ExplorerChange {
  database: DatabaseRow;
  caller: Caller;
  action: Extract<Action, `database_${'row_changed' | 'table_changed' | 'statement_run'}`>;
}

/**
 * The change is in a database of its own, so the two cannot be one transaction. The statement is not told: it holds
 * values.
 */
export async function noteChange(db: Db, { database, caller, action }: ExplorerChange): Promise<void> {
  const { id: databaseId, organisation_id: organisationId, name: subject } = database;
  await db.transaction().execute((tx) => recordActivity(tx, { organisationId, databaseId, subject, action, caller }));
}

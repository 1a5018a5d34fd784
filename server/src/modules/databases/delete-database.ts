import type { Db } from '../../db/pool.ts';
import type { DatabaseRow } from '../../db/schema.ts';
import type { Caller } from '../../http/handler.ts';
import { cancelLane } from '../../jobs/queue-store.ts';
import { notFound } from '../../lib/fault.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { lockDatabase, setProgress } from './database-store.ts';
import { deleteJob, enqueueFor, laneOf, transferLaneOf } from './job-kinds.ts';

/** Shown as `deleting` until its files are gone, and refuses everything from now on. Asked for again, it changes nothing. */
export async function deleteDatabase(
  db: Db,
  { database: { id }, caller }: { database: Pick<DatabaseRow, 'id'>; caller: Caller },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const database = await lockDatabase(tx, id);
    if (!database) throw notFound('Database');
    if (database.status === 'deleting') return;
    await setProgress(tx, id, { status: 'deleting', step: 'removing', percent: 0, error: null });
    for (const lane of [laneOf(id), transferLaneOf(id)]) await cancelLane(tx, lane);
    await enqueueFor(tx, deleteJob, database, {});
    const { organisation_id: organisationId, name: subject } = database;
    await recordActivity(tx, { organisationId, subject, action: 'database_deleted', caller });
  });
}

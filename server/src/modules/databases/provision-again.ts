import type { Db } from '../../db/pool.ts';
import type { DatabaseRow } from '../../db/schema.ts';
import type { Caller } from '../../http/handler.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { setProgress } from './database-store.ts';
import { holdDatabase } from './hold-database.ts';
import { enqueueFor, provisionJob } from './job-kinds.ts';

/** Tries again what failed; anything else is left as it is. */
export function provisionAgain(
  db: Db,
  { database: { id }, caller }: { database: Pick<DatabaseRow, 'id'>; caller: Caller },
): Promise<DatabaseRow> {
  return db.transaction().execute(async (tx) => {
    const before = await holdDatabase(tx, id);
    if (before.status !== 'failed') return before;
    await setProgress(tx, id, { status: 'provisioning', step: 'queued', percent: 0, error: null });
    await enqueueFor(tx, provisionJob, before, {});
    const { organisation_id: organisationId, name: subject } = before;
    await recordActivity(tx, { organisationId, databaseId: id, subject, action: 'database_provisioned', caller });
    return { ...before, status: 'provisioning', error: null };
  });
}

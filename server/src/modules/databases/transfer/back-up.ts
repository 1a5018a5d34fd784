import type { Db } from '../../../db/pool.ts';
import type { DatabaseBackupRow, DatabaseRow } from '../../../db/schema.ts';
import type { Caller } from '../../../http/handler.ts';
import { recordActivity } from '../../activity/record-activity.ts';
import type { DatabasesDeps } from '../databases-deps.ts';
import { lockDatabase } from '../database-store.ts';
import { holdDatabase, requireSettled } from '../hold-database.ts';
import { findUnfinished, listDue } from './backup-store.ts';
import { orderBackup } from './job-kinds.ts';

/** One that somebody asks for; while one is on its way, it stands for this one too. */
export function backUpNow(
  db: Db,
  { database, caller }: { database: DatabaseRow; caller: Caller },
): Promise<DatabaseBackupRow> {
  return db.transaction().execute(async (tx) => {
    const held = await holdDatabase(tx, database.id);
    requireSettled(held);
    const underWay = await findUnfinished(tx, held.id, 'manual');
    if (underWay) return underWay;
    const { id: databaseId, organisation_id: organisationId, name: subject } = held;
    await recordActivity(tx, { organisationId, databaseId, subject, action: 'database_backed_up', caller });
    return orderBackup(tx, held, 'manual');
  });
}

/** Orders the daily backup of every database whose time has come; what was missed while nothing ran is due at once. */
export async function backUpDue({ store, clock }: Pick<DatabasesDeps, 'store' | 'clock'>): Promise<void> {
  for (const { id } of await listDue(store.db, clock.now())) {
    await store.db.transaction().execute(async (tx) => {
      const held = await lockDatabase(tx, id);
      const isWanted = held && (held.status === 'healthy' || held.status === 'degraded');
      if (isWanted && !(await findUnfinished(tx, id, 'automatic'))) await orderBackup(tx, held, 'automatic');
    });
  }
}

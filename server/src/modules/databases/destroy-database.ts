import { setTimeout as delay } from 'node:timers/promises';
import type { JobContext } from '../../jobs/job.ts';
import { isLaneBusy } from '../../jobs/queue-store.ts';
import type { DatabaseJobsDeps } from './database-jobs-deps.ts';
import { deleteDatabaseRow, findDatabase } from './database-store.ts';
import { transferLaneOf, type OfDatabase } from './job-kinds.ts';
import { serversOf } from './server-store.ts';

const LOOK_AGAIN_MS = 100;

/**
 * Files before rows: as long as the row is there, this is begun again, and what is removed already is harmless to
 * remove.
 */
export function destroyDatabase(
  deps: DatabaseJobsDeps,
  { databaseId }: OfDatabase,
  { signal }: Pick<JobContext, 'signal'>,
): Promise<void> {
  const { db } = deps.store;
  return deps.locks.hold(databaseId, async () => {
    const database = await findDatabase(db, databaseId);
    if (database?.status !== 'deleting') return;
    const engine = deps.engines[database.database_type];
    for (const { id } of await serversOf(db, databaseId)) await engine.destroy(id);
    await deps.addresses.point(database.port, null);
    // Told to stop when the database was deleted: until it has, it may write another file.
    while (await isLaneBusy(db, transferLaneOf(databaseId))) await delay(LOOK_AGAIN_MS, undefined, { signal });
    await deps.transfers.removeBackups(databaseId);
    signal.throwIfAborted();
    await db.transaction().execute((tx) => deleteDatabaseRow(tx, databaseId));
  });
}

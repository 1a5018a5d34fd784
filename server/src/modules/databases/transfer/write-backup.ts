import type { Tx } from '../../../db/pool.ts';
import { EngineRefused } from '../../../engines/engine.ts';
import { CannotBeDumped } from '../../../engines/transfer.ts';
import type { EndedJob, JobContext } from '../../../jobs/job.ts';
import { recordActivity } from '../../activity/record-activity.ts';
import { clearError, findDatabase } from '../database-store.ts';
import type { DatabasesDeps, DatabaseWorkDeps } from '../databases-deps.ts';
import { serversOf } from '../server-store.ts';
import { mustBeShut } from '../shut-doors.ts';
import { specOf } from '../spec-of.ts';
import { expiryOf, FAILURE_KEPT_MS } from './backup.ts';
import { findBackup, markFailed, markReady, markWriting } from './backup-store.ts';
import { enqueueBackup } from './job-kinds.ts';
import { writeDump } from './write-dump.ts';

const AFTER_IMPORT_MS = 2000;

/**
 * Writes the backup of a row that waits for it. An earlier attempt's file is written over. What it reads in the middle
 * of an import would be a state that never was, so it goes to the end of the queue until that is over; the import
 * itself waits for one that has begun.
 */
export async function writeBackup(
  deps: DatabaseWorkDeps,
  { backupId }: { backupId: string },
  { signal, log }: Pick<JobContext, 'signal' | 'log'>,
): Promise<void> {
  const { store, config, engines, objects, clock } = deps;
  const backup = await findBackup(store.db, backupId);
  const database = backup && (await findDatabase(store.db, backup.database_id));
  // Deleted meanwhile, or an earlier attempt has come to the end.
  if (!backup || !database || database.status === 'deleting' || backup.status === 'ready') return;
  if (mustBeShut(database)) {
    return store.db.transaction().execute((tx) => enqueueBackup(tx, backup, AFTER_IMPORT_MS));
  }
  const [primary] = await serversOf(store.db, database.id);
  if (!primary) throw new EngineRefused('The database has no server to be read from.');
  await markWriting(store.db, backupId);
  const startedAt = performance.now();
  const key = backup.object_key;
  const engine = engines[database.database_type];
  const spec = specOf(config, database, primary);
  const databaseName = database.database_name;
  const written = await writeDump({ engine, spec, databaseName, objects, key, signal }).catch((failure: unknown) => {
    // Another attempt would come to the same, and may harm the server.
    if (failure instanceof CannotBeDumped) return failure;
    throw failure;
  });
  if (written instanceof CannotBeDumped) {
    return store.db.transaction().execute((tx) => failBackup(deps, tx, { backupId, error: written.message }));
  }
  const { size, sha256, summary } = written;
  const completedAt = clock.now();
  const expiresAt = expiryOf(backup.purpose, completedAt, config.databases);
  const isKept = await markReady(store.db, backupId, { size, sha256, completedAt, expiresAt });
  if (!isKept) await objects.remove(key);
  await clearError(store.db, database);
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  log.info({ database: database.id, backup: backupId, size, seconds, ...summary }, 'a database was backed up');
}

export async function endBackup(
  deps: Pick<DatabasesDeps, 'clock' | 'log'>,
  tx: Tx,
  { backupId, end }: { backupId: string; end: EndedJob },
): Promise<void> {
  if (end.state !== 'done') await failBackup(deps, tx, { backupId, error: end.error });
}

/** A backup that does not come about is told to everybody who could do something about it. */
async function failBackup(
  { clock, log }: Pick<DatabasesDeps, 'clock' | 'log'>,
  tx: Tx,
  { backupId, error }: { backupId: string; error: string },
): Promise<void> {
  const completedAt = clock.now();
  const expiresAt = new Date(completedAt.getTime() + FAILURE_KEPT_MS);
  const failed = await markFailed(tx, backupId, { error, completedAt, expiresAt });
  if (!failed) return;
  const { database_id: databaseId, organisation_id: organisationId, purpose, database_name: subject } = failed;
  log.error({ database: databaseId, backup: backupId, purpose, error }, 'A database could not be backed up');
  if (purpose === 'safety') return;
  const deed = { organisationId, databaseId, subject, caller: 'platform' } as const;
  await recordActivity(tx, { ...deed, action: 'database_backup_failed' });
}

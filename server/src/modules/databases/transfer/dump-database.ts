import { setTimeout as delay } from 'node:timers/promises';
import type { DatabaseBackupRow, DatabaseRow } from '../../../db/schema.ts';
import type { Caller } from '../../../http/handler.ts';
import { conflict, Fault, notFound } from '../../../lib/fault.ts';
import { recordActivity } from '../../activity/record-activity.ts';
import type { DatabasesDeps } from '../databases-deps.ts';
import { holdDatabase, requireSettled } from '../hold-database.ts';
import { DOWNLOAD_MS, fileNameOf } from './backup.ts';
import { findBackup, findUnfinished } from './backup-store.ts';
import { orderBackup } from './job-kinds.ts';

export interface DumpRequest {
  database: DatabaseRow;
  caller: Caller;
  /** Aborted when nobody waits for the answer any more; the file is written all the same. */
  signal: AbortSignal;
}

/** Clients and proxies wait for five minutes, as a rule; whoever asks again waits on. */
const WAIT_MS = 4 * 60 * 1000;
const FIRST_LOOK_MS = 20;
const LONGEST_LOOK_MS = 1000;

/**
 * The address of a file with all of the database as it is now, once it is whole. Asked twice at once, there is one
 * file.
 */
export async function dumpDatabase(
  deps: Pick<DatabasesDeps, 'store' | 'objects' | 'clock'>,
  { database, caller, signal }: DumpRequest,
): Promise<{ downloadUrl: string; expiresAt: string; size: number }> {
  const { store, objects, clock } = deps;
  const ordered = await store.db.transaction().execute(async (tx) => {
    const held = await holdDatabase(tx, database.id);
    const underWay = await findUnfinished(tx, database.id, 'download');
    if (underWay) return underWay;
    requireSettled(held);
    const { id: databaseId, organisation_id: organisationId, name: subject } = held;
    await recordActivity(tx, { organisationId, databaseId, subject, action: 'database_dumped', caller });
    return orderBackup(tx, held, 'download');
  });
  const { size, object_key } = await whenReady(deps, ordered.id, signal);
  const expiresAt = new Date(clock.now().getTime() + DOWNLOAD_MS);
  const fileName = fileNameOf(database, ordered.started_at);
  const downloadUrl = await objects.presignGet(object_key, { contentType: 'application/gzip', fileName, expiresAt });
  return { downloadUrl, expiresAt: expiresAt.toISOString(), size: Number(size) };
}

async function whenReady(
  { store }: Pick<DatabasesDeps, 'store'>,
  backupId: string,
  signal: AbortSignal,
): Promise<DatabaseBackupRow> {
  const deadline = performance.now() + WAIT_MS;
  for (let waitMs = FIRST_LOOK_MS; ; waitMs = Math.min(LONGEST_LOOK_MS, waitMs * 1.5)) {
    const backup = await findBackup(store.db, backupId);
    if (!backup) throw notFound('Database');
    if (backup.status === 'ready') return backup;
    if (backup.status === 'failed') throw conflict(`The dump could not be written: ${backup.error}`);
    if (performance.now() > deadline) {
      throw new Fault('SV002', 'The dump is still being written. Ask again to wait for it.', { retryAfterSeconds: 10 });
    }
    await delay(waitMs, undefined, { signal });
  }
}

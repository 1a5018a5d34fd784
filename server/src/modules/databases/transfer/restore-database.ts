import { pathsOf } from '../../../config.ts';
import type { DatabaseBackupRow, DatabaseRow } from '../../../db/schema.ts';
import { largestStorageGb } from '../../../engines/host/largest-storage.ts';
import type { Caller } from '../../../http/handler.ts';
import { EngineRefused } from '../../../engines/engine.ts';
import { CannotBeRestored, LoadFailed } from '../../../engines/transfer.ts';
import { conflict, notFound } from '../../../lib/fault.ts';
import { requireVersion } from '../availability.ts';
import { foundDatabase } from '../create-database.ts';
import { findDatabase, updateDatabase } from '../database-store.ts';
import { newPassword } from '../database.ts';
import type { DatabasesDeps, DatabaseWorkDeps } from '../databases-deps.ts';
import { openPassword } from '../password.ts';
import { serversOf } from '../server-store.ts';
import { withShutDoors } from '../shut-doors.ts';
import { specOf } from '../spec-of.ts';
import { assertRoom, assertStorage, leastStorageGb } from '../storage-limit.ts';
import { assertTier, thisMachine } from '../tier.ts';
import { readUsedBytes } from '../usage-store.ts';
import { findBackup } from './backup-store.ts';
import { loadObject } from './load-object.ts';
import { failureOf, forgetLosses } from './lost-sessions.ts';

export interface RestoreRequest {
  database: DatabaseRow;
  backupId: string;
  name: string;
  /** Left out: as the one that was backed up. */
  tier: string | undefined;
  storageGb: number | undefined;
  caller: Caller;
}

/** A new database like the one that was backed up; its job puts the data in before it is healthy. */
export async function restoreDatabase(
  deps: Pick<DatabasesDeps, 'store' | 'config' | 'keyring' | 'engines'>,
  { database, backupId, name, caller, ...size }: RestoreRequest,
): Promise<DatabaseRow> {
  const backup = await findBackup(deps.store.db, backupId);
  if (backup?.database_id !== database.id || backup.purpose === 'safety') throw notFound('Backup');
  if (backup.status !== 'ready') throw conflict('This backup is not ready: the list of backups says how it stands.');
  const { tier = database.tier, storageGb: storage_gb = database.storage_gb } = size;
  await assertSize(deps, { tier, storageGb: storage_gb, backup });
  const version = await requireVersion(deps.engines[database.database_type]);
  const { ha_enabled, public_ip_enabled, authorized_networks } = database;
  const { database_type, region, database_name, admin_user, organisation_id, project_id } = database;
  return deps.store.db.transaction().execute(async (tx) => {
    const founded = await foundDatabase(tx, deps, {
      tier,
      storage_gb,
      ha_enabled,
      public_ip_enabled,
      authorized_networks,
      database_type,
      version,
      region,
      database_name,
      admin_user,
      name: name.trim(),
      organisationId: organisation_id,
      folderId: project_id,
      password: newPassword(),
      caller,
      action: 'database_restored',
    });
    return updateDatabase(tx, founded.id, { restore_from: backupId });
  });
}

/** What the one had that was backed up, this machine need not have, and may be too little for what was in it. */
async function assertSize(
  { store, config }: Pick<DatabasesDeps, 'store' | 'config'>,
  { tier, storageGb, backup }: { tier: string; storageGb: number; backup: DatabaseBackupRow },
): Promise<void> {
  assertTier(tier, thisMachine());
  // The file itself is a part of what is in it, wherever nothing was measured.
  const usedBytes = await readUsedBytes(store.db, backup.database_id, backup.completed_at ?? backup.started_at);
  assertRoom(storageGb, leastStorageGb(Math.max(usedBytes ?? 0, Number(backup.size))));
  assertStorage(storageGb, await largestStorageGb(pathsOf(config).databases));
}

/** Puts the data in, where it is made from a backup. Nobody uses it yet, so that every attempt may begin anew. */
export async function restoreData(deps: DatabaseWorkDeps, databaseId: string, signal: AbortSignal): Promise<void> {
  const { store, config, keyring, engines } = deps;
  const database = await findDatabase(store.db, databaseId);
  if (!database?.restore_from) return;
  const backup = await findBackup(store.db, database.restore_from);
  if (!backup) throw new EngineRefused('The backup that it is made from is no longer there.');
  const [primary] = await serversOf(store.db, databaseId);
  const spec = withShutDoors(specOf(config, database, primary!));
  const { database_name: databaseName, admin_user: user } = database;
  const owner = { databaseName, user, password: openPassword(keyring, database) };
  await engines[database.database_type].empty(spec, owner);
  try {
    await loadObject(deps, { key: backup.object_key, target: { database, spec, owner }, signal, tell: true });
  } catch (error) {
    const failure = failureOf(databaseId, error);
    if (!(failure instanceof LoadFailed)) throw failure;
    forgetLosses(databaseId);
    throw new CannotBeRestored(`The backup could not be put back: ${failure.message}`, { cause: failure });
  }
  forgetLosses(databaseId);
  await store.db.transaction().execute((tx) => updateDatabase(tx, databaseId, { restore_from: null }));
}

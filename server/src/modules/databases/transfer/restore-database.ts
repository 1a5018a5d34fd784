import type { DatabaseRow } from '../../../db/schema.ts';
import type { Caller } from '../../../http/handler.ts';
import { EngineRefused } from '../../../engines/engine.ts';
import { LoadFailed } from '../../../engines/transfer.ts';
import { conflict, notFound } from '../../../lib/fault.ts';
import { requireVersion } from '../availability.ts';
import { foundDatabase } from '../create-database.ts';
import { findDatabase, updateDatabase } from '../database-store.ts';
import { newPassword } from '../database.ts';
import type { DatabasesDeps, DatabaseWorkDeps } from '../databases-deps.ts';
import { openPassword } from '../password.ts';
import { serversOf } from '../server-store.ts';
import { specOf } from '../spec-of.ts';
import { findBackup } from './backup-store.ts';
import { loadObject } from './run-import.ts';

export interface RestoreRequest {
  database: DatabaseRow;
  backupId: string;
  name: string;
  caller: Caller;
}

/** A new database like the one that was backed up; its job puts the data in before it is healthy. */
export async function restoreDatabase(
  deps: Pick<DatabasesDeps, 'store' | 'config' | 'keyring' | 'engines'>,
  { database, backupId, name, caller }: RestoreRequest,
): Promise<DatabaseRow> {
  const backup = await findBackup(deps.store.db, backupId);
  if (backup?.database_id !== database.id || backup.purpose === 'safety') throw notFound('Backup');
  if (backup.status !== 'ready') throw conflict('This backup is not ready: the list of backups says how it stands.');
  const version = await requireVersion(deps.engines[database.database_type]);
  const { tier, storage_gb, ha_enabled, public_ip_enabled, authorized_networks } = database;
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

/** Puts the data in, where it is made from a backup. Nobody uses it yet, so that every attempt may begin anew. */
export async function restoreData(deps: DatabaseWorkDeps, databaseId: string, signal: AbortSignal): Promise<void> {
  const { store, config, keyring, engines } = deps;
  const database = await findDatabase(store.db, databaseId);
  if (!database?.restore_from) return;
  const backup = await findBackup(store.db, database.restore_from);
  if (!backup) throw new EngineRefused('The backup that it is made from is no longer there.');
  const [primary] = await serversOf(store.db, databaseId);
  const spec = specOf(config, database, primary!);
  const { database_name: databaseName, admin_user: user } = database;
  const owner = { databaseName, user, password: openPassword(keyring, database) };
  await engines[database.database_type].empty(spec, owner);
  try {
    await loadObject(deps, { key: backup.object_key, target: { database, spec, owner }, signal, tell: true });
  } catch (error) {
    throw error instanceof LoadFailed ? new EngineRefused(`The backup could not be put back: ${error.message}`) : error;
  }
  await store.db.transaction().execute((tx) => updateDatabase(tx, databaseId, { restore_from: null }));
}

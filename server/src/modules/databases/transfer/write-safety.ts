import type { DatabaseRow } from '../../../db/schema.ts';
import type { ServerSpec } from '../../../engines/server.ts';
import { newId } from '../../../lib/ids.ts';
import type { DatabaseWorkDeps } from '../databases-deps.ts';
import { objectKeyOf } from './backup.ts';
import { allBackupsOf, deleteBackup, insertBackup, markReady } from './backup-store.ts';
import { writeDump } from './write-dump.ts';

interface Subject {
  database: DatabaseRow;
  spec: ServerSpec;
  signal: AbortSignal;
}

/** What the database holds now, so that it can be put back. The row is ready only once the file is whole. */
export async function writeSafety(deps: DatabaseWorkDeps, { database, spec, signal }: Subject): Promise<void> {
  const { store, engines, objects, clock } = deps;
  const { id: databaseId, organisation_id: organisationId, database_type, database_name: databaseName } = database;
  // What a killed attempt began.
  for (const begun of await allBackupsOf(store.db, databaseId)) {
    if (begun.purpose !== 'safety' || begun.status === 'ready') continue;
    await objects.remove(begun.object_key);
    await deleteBackup(store.db, begun.id);
  }
  const id = newId('bak');
  const key = objectKeyOf(organisationId, id);
  await store.db.transaction().execute((tx) =>
    insertBackup(tx, {
      id,
      database_id: databaseId,
      organisation_id: organisationId,
      purpose: 'safety',
      object_key: key,
    }),
  );
  const { size, sha256 } = await writeDump({
    engine: engines[database_type],
    spec,
    databaseName,
    objects,
    key,
    signal,
  });
  await markReady(store.db, id, { size, sha256, completedAt: clock.now(), expiresAt: null });
}

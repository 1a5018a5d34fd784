import type { DatabasesDeps } from '../databases-deps.ts';
import { allBackupsOf, deleteBackup, listExpired } from './backup-store.ts';

type Deps = Pick<DatabasesDeps, 'store' | 'objects' | 'clock'>;

/** Files before rows: what is killed in between is removed again, which is harmless. */
export async function removeBackups({ store, objects }: Deps, databaseId: string): Promise<void> {
  for (const { id, object_key } of await allBackupsOf(store.db, databaseId)) {
    await objects.remove(object_key);
    await deleteBackup(store.db, id);
  }
}

export async function expireBackups({ store, objects, clock }: Deps): Promise<void> {
  for (const { id, object_key } of await listExpired(store.db, clock.now())) {
    await objects.remove(object_key);
    await deleteBackup(store.db, id);
  }
}

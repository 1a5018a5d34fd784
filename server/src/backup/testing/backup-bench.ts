import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../lib/clock.ts';
import type { ObjectStore } from '../../objects/object-store.ts';
import { openObjects } from '../../artifacts/testing/open-objects.ts';
import { openKeyring } from '../../secrets/key-file.ts';
import { createTestStore, type TestStore } from '../../testing/test-store.ts';
import { restoreBackup, type RestoreReport } from '../restore-backup.ts';
import { writeBackup, type BackupReport } from '../write-backup.ts';
import { fillWithAwkwardRows } from './awkward-rows.ts';

/** A folder with a backup's path, a key file here and another there: `await using bench = openBackupBench()`. */
export interface BackupBench extends Disposable {
  home: string;
  path: string;
  keysHere: string;
  keysThere: string;
  objectsHere: ObjectStore;
  objectsThere: ObjectStore;
  /** A store with something awkward in every table, sealed with the keys here. */
  filledStore(): Promise<TestStore>;
  write(store: TestStore): Promise<BackupReport>;
  restore(store: TestStore, options?: { path?: string; replace?: boolean }): Promise<RestoreReport>;
}

export function openBackupBench(): BackupBench {
  const home = mkdtempSync(join(tmpdir(), 'lilac-backup-'));
  const path = join(home, 'lilac.backup');
  const keysHere = join(home, 'here', 'keyring.json');
  const keysThere = join(home, 'there', 'keyring.json');
  const objectsHere = openObjects(join(home, 'here', 'objects'));
  const objectsThere = openObjects(join(home, 'there', 'objects'));
  return {
    home,
    path,
    keysHere,
    keysThere,
    objectsHere,
    objectsThere,
    async filledStore() {
      const store = await createTestStore();
      await fillWithAwkwardRows(store.pool, openKeyring(keysHere));
      return store;
    },
    write: (store) =>
      writeBackup({
        store,
        objects: objectsHere,
        keyFile: keysHere,
        clock: systemClock,
        path,
        lilacVersion: '0.1.0',
      }),
    restore: (store, options) =>
      restoreBackup({ store, objects: objectsThere, keyFile: keysThere, clock: systemClock, path, ...options }),
    [Symbol.dispose]: () => rmSync(home, { recursive: true, force: true }),
  };
}

/**
 * Every row of every table, as text; the migrator's own tables aside, which tell the time, and versions of
 * routes, which are given out anew.
 */
export async function contentOf({ pool }: Pick<TestStore, 'pool'>): Promise<Record<string, string[]>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'kysely%' order by 1`,
  );
  const content: Record<string, string[]> = {};
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: string }>(`select t::text as row from ${sourceOf(name)} t order by 1`);
    content[name] = rows.map(({ row }) => row);
  }
  return content;
}

function sourceOf(table: string): string {
  return table === 'routes' ? '(select environment_id, subdomain, target, changed_at from routes)' : `"${table}"`;
}

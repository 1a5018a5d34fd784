import { pathsOf, type Config } from '../config.ts';
import { currentMigration, migrationNames } from '../db/migrate.ts';
import { openStore, type Db } from '../db/pool.ts';
import { findRunning } from '../store/embedded-store.ts';
import { storeAddressOf } from '../store/store-address.ts';
import { readStoreFacts } from './store-facts-store.ts';

export type Peek<T> = { seen: T } | { unseen: 'not running' | 'other tables' | 'no answer' };

/**
 * Looks at rows, where there is a store that runs; none is started for it, and what is wrong with it is not said here.
 */
export async function peekStore<T>(config: Config, look: (db: Db) => Promise<T>): Promise<Peek<T>> {
  if (!config.databaseUrl && !findRunning({ directory: pathsOf(config).store })) return { unseen: 'not running' };
  try {
    const address = storeAddressOf(config);
    await readStoreFacts(address);
    const store = openStore(address, { max: 1, applicationName: 'operator' });
    try {
      if ((await currentMigration(store.db)) !== migrationNames().at(-1)) return { unseen: 'other tables' };
      return { seen: await look(store.db) };
    } finally {
      await store.close();
    }
  } catch {
    return { unseen: 'no answer' };
  }
}

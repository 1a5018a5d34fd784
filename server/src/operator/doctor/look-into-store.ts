import { pathsOf } from '../../config.ts';
import { currentMigration, migrationNames } from '../../db/migrate.ts';
import { openStore, type Db } from '../../db/pool.ts';
import { findRunning } from '../../store/embedded-store.ts';
import { storeAddressOf } from '../../store/store-address.ts';
import { readStoreFacts } from '../store-facts-store.ts';
import { ok, type CheckedHost, type Finding } from './check.ts';

/** Looks at rows, where there is a store to be asked; what is wrong with the store itself is said by who looks at it. */
export async function lookIntoStore(
  { config }: Pick<CheckedHost, 'config'>,
  look: (db: Db) => Promise<Finding>,
): Promise<Finding> {
  if (!config.databaseUrl && !findRunning({ directory: pathsOf(config).store })) {
    return ok('not looked at, as the store does not run');
  }
  const address = storeAddressOf(config);
  try {
    await readStoreFacts(address);
    const store = openStore(address, { max: 1, applicationName: 'doctor' });
    try {
      if ((await currentMigration(store.db)) !== migrationNames().at(-1)) return ok('not looked at, see Tables');
      return await look(store.db);
    } finally {
      await store.close();
    }
  } catch {
    return ok('not looked at, see PostgreSQL');
  }
}

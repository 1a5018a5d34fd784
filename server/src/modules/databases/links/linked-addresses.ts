import type { Config } from '../../../config.ts';
import type { Db, Tx } from '../../../db/pool.ts';
import type { Keyring } from '../../../secrets/keyring.ts';
import { connectionString } from '../database.ts';
import { findHost } from '../find-host.ts';
import { openPassword } from '../password.ts';
import { findLinked, type DatabaseLinks } from './link-store.ts';

export interface LinkDeps {
  config: Pick<Config, 'home'>;
  keyring: Keyring;
}

/**
 * What the variables hold at this moment, where instances find the databases. One whose database is gone is left out.
 */
export async function readLinkedAddresses(
  db: Db | Tx,
  { config, keyring }: LinkDeps,
  links: DatabaseLinks,
): Promise<Record<string, string>> {
  const entries = Object.entries(links);
  if (entries.length === 0) return {};
  const [rows, host] = [await findLinked(db, Object.values(links)), await findHost(db, config)];
  return Object.fromEntries(
    entries.flatMap(([variable, databaseId]) => {
      const database = rows.find(({ id }) => id === databaseId);
      if (!database) return [];
      const password = openPassword(keyring, database);
      const at = { host, port: database.port };
      return [[variable, connectionString(database, { password, at, isOutside: false })]];
    }),
  );
}

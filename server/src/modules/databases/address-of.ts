import type { Config } from '../../config.ts';
import type { Store } from '../../db/pool.ts';
import type { DatabaseRow } from '../../db/schema.ts';
import type { Keyring } from '../../secrets/keyring.ts';
import { connectionString } from './database.ts';
import { findHost } from './find-host.ts';
import { openPassword } from './password.ts';

type Deps = { store: Pick<Store, 'db'>; config: Pick<Config, 'home' | 'databases'>; keyring: Keyring };

/** What clients are given: a private one's is of use to the organisation's own applications only. */
export async function addressOf(
  { store, config, keyring }: Deps,
  database: DatabaseRow,
  password = openPassword(keyring, database),
): Promise<string> {
  const isOutside = database.public_ip_enabled;
  const host = isOutside ? config.databases.host : await findHost(store.db, config);
  return connectionString(database, { password, at: { host, port: database.port }, isOutside });
}

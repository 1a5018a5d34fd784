import type { Config } from '../../config.ts';
import type { DatabaseRow } from '../../db/schema.ts';
import { readInstanceNetwork } from '../../runtime/instance-network-file.ts';
import type { Keyring } from '../../secrets/keyring.ts';
import { connectionString } from './database.ts';
import { openPassword } from './password.ts';

type Deps = { config: Pick<Config, 'home' | 'databases'>; keyring: Keyring };

/** What clients are given: a private one's is of use to the organisation's own applications only. */
export function addressOf(
  { config, keyring }: Deps,
  database: DatabaseRow,
  password = openPassword(keyring, database),
): string {
  const isOutside = database.public_ip_enabled;
  const host = isOutside ? config.databases.host : readInstanceNetwork(config).hostAddress;
  return connectionString(database, { password, at: { host, port: database.port }, isOutside });
}

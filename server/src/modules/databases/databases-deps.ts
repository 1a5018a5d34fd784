import type { DatabaseType } from '@lilac/contract/states';
import type { Config } from '../../config.ts';
import type { Store } from '../../db/pool.ts';
import type { Engine } from '../../engines/engine.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { ObjectStore } from '../../objects/object-store.ts';
import type { Keyring } from '../../secrets/keyring.ts';
import type { DatabaseLocks } from './database-locks.ts';

export type Engines = Readonly<Record<DatabaseType, Engine>>;

/** What both the api and the worker have. */
export interface DatabasesDeps {
  store: Pick<Store, 'db' | 'newClient'>;
  config: Config;
  keyring: Keyring;
  clock: Clock;
  log: Log;
  engines: Engines;
  objects: ObjectStore;
}

/** What only the worker has, which keeps the servers. */
export interface DatabaseWorkDeps extends DatabasesDeps {
  locks: DatabaseLocks;
}

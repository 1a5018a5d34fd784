import { randomBytes } from 'node:crypto';
import { pathsOf, type Config } from '../config.ts';
import { currentMigration, migrate, migrationNames } from '../db/migrate.ts';
import { openStore, type Db, type Store, type StoreAddress } from '../db/pool.ts';
import { systemClock, type Clock } from '../lib/clock.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { openObjectStore } from '../objects/open-object-store.ts';
import { storeAddressOf } from '../store/store-address.ts';
import { borrowEmbeddedStore, type GiveBack } from './borrow-store.ts';
import { isHeld } from './is-held.ts';
import { OperatorError } from './operator-error.ts';
import { requireHome } from './require-home.ts';
import { findRunningServers } from './running-servers-store.ts';
import { readStoreFacts } from './store-facts-store.ts';

/** An installation that a command works on, whether its server runs or not. */
export interface Installation extends AsyncDisposable {
  config: Config;
  paths: ReturnType<typeof pathsOf>;
  store: Store;
  objects: ObjectStore;
  clock: Clock;
}

export interface OpenOptions {
  /** An installation that was never started is begun; otherwise its absence is an error. */
  mayCreate: boolean;
  /**
   * Neither an api nor a worker may have the store open, on whatever host: they would not notice what is done under
   * them.
   */
  mustBeStopped?: boolean;
}

export const OLDEST_POSTGRESQL = 14;

export async function openInstallation(config: Config, options: OpenOptions): Promise<Installation> {
  requireHome(config.home, options);
  const paths = pathsOf(config);
  const giveBack = config.databaseUrl ? () => Promise.resolve() : await borrowEmbeddedStore(config);
  let store: Store | null = null;
  try {
    const address = storeAddressOf(config);
    if (address.kind === 'url') await requireAnswer(address);
    store = openStore(address, { max: 4, applicationName: 'operator' });
    if (options.mustBeStopped) await requireStopped(store.db);
    await requireSchema(store.db, isHeld(paths.supervisorLock));
    const objects = await openObjects(config);
    return { config, paths, store, objects, clock: systemClock, [Symbol.asyncDispose]: disposerOf(store, giveBack) };
  } catch (error) {
    await disposerOf(store, giveBack)();
    throw error;
  }
}

/** No command signs an address, so none needs the platform's key for that. */
function openObjects(config: Config): Promise<ObjectStore> {
  return openObjectStore({ config, signingKey: randomBytes(32), clock: systemClock });
}

function disposerOf(store: Store | null, giveBack: GiveBack): () => Promise<void> {
  return async () => {
    try {
      await store?.close();
    } finally {
      await giveBack();
    }
  };
}

async function requireAnswer(address: StoreAddress): Promise<void> {
  const facts = await readStoreFacts(address).catch((cause: Error) => {
    throw new OperatorError(
      `The PostgreSQL that LILAC_DATABASE_URL names does not let us in: ${cause.message || 'no connection'}.`,
      'Check the address, the password and that the server runs.',
      { cause },
    );
  });
  if (facts.majorVersion < OLDEST_POSTGRESQL) {
    throw new OperatorError(
      `The PostgreSQL that LILAC_DATABASE_URL names has version ${facts.version}.`,
      `Lilac needs ${OLDEST_POSTGRESQL} or newer.`,
    );
  }
}

async function requireStopped(db: Db): Promise<void> {
  const running = await findRunningServers(db);
  if (!running) return;
  const { roles, addresses } = running;
  const from = addresses.length > 0 ? `, from ${addresses.join(', ')}` : '';
  throw new OperatorError(
    `Servers use this store (${roles.join(', ')}${from}), and would not notice what is restored under them.`,
    'Stop them on every host (Ctrl-C, "systemctl stop lilac", or "docker stack rm lilac"), restore, and start them again.',
  );
}

/** A server that runs may be an older Lilac: its tables are not changed under it. */
async function requireSchema(db: Db, serverRuns: boolean): Promise<void> {
  const current = await currentMigration(db);
  if (current === migrationNames().at(-1)) return;
  if (current !== null && serverRuns) {
    throw new OperatorError(
      'The running server is older than this command.',
      'Restart the server, which brings its store up to date, and try again.',
    );
  }
  await migrate(db, { onWait: refuse });
}

function refuse(why: string): never {
  const message = `The store cannot be brought to the newest schema now: ${why}.`;
  throw new OperatorError(message, 'Try again when that is over.');
}

import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, type Transaction } from 'kysely';
import pg from 'pg';
import { queryDescribed } from './described-query.ts';
import type { Database } from './schema.ts';
import { SilenceWatch } from './silence-watch.ts';
import { StoreClient } from './store-client.ts';

/** How to reach the store: a connection string, or the embedded server's socket. */
export type StoreAddress = { kind: 'url'; url: string } | { kind: 'socket'; directory: string; password: string };

export type Db = Kysely<Database>;
/** What a use case is handed while a transaction is open; `enqueue` takes nothing less. */
export type Tx = Transaction<Database>;

export interface Store {
  /** For hand-written statements. */
  pool: pg.Pool;
  db: Db;
  /** A connection of one's own, for LISTEN and session locks. */
  newClient(): pg.Client;
  /** Queries on such a connection, which its owner also uses by hand. */
  dbOn(client: pg.Client): Db;
  close(): Promise<void>;
}

export interface PoolOptions {
  max: number;
  /** Names the connections, so that an operator can tell them apart in pg_stat_activity. */
  applicationName: string;
  onError?: (error: Error) => void;
  /** A connection that nobody used for so long is given up. */
  idleMs?: number;
  /** So many are kept though nobody uses them: others see by them that this process is there. */
  kept?: number;
  /** After so long a connection is given up once nobody has it in use, and made anew when one is needed. */
  lifetimeMs?: number;
  /** How long connecting may take, and an answer of another machine before it is asked whether there will be one. */
  patienceMs?: number;
}

/** A store that hangs is told to the caller as one that is away; nobody waits for ever. */
export const STORE_PATIENCE_MS = 10_000;
const IDLE_MS = 10_000;
/** The store's process behind a connection remembers every table and statement that it was asked for, until it ends. */
const LIFETIME_MS = 600_000;
/** From then on the system itself looks whether the other end of an idle connection is there. */
const ALIVE_AFTER_MS = 5000;

export function openStore(address: StoreAddress, options: PoolOptions): Store {
  const { patienceMs = STORE_PATIENCE_MS, kept = 0, lifetimeMs = LIFETIME_MS } = options;
  const connection = {
    ...connectionOf(address),
    application_name: `lilac ${options.applicationName}`,
    connectionTimeoutMillis: patienceMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: ALIVE_AFTER_MS,
  };
  const silence = new SilenceWatch({ patienceMs, newClient: () => new pg.Client(connection) });
  const pool = new pg.Pool({
    ...connection,
    Client: StoreClient,
    max: options.max,
    min: kept,
    idleTimeoutMillis: options.idleMs ?? IDLE_MS,
    maxLifetimeSeconds: lifetimeMs / 1000,
    allowExitOnIdle: true,
  });
  // Without a listener, a connection that the server ends would end this process.
  pool.on('error', (error) => options.onError?.(error));
  // A store that is away is asked again by whoever needs it.
  pool.on('remove', () => {
    if (pool.totalCount < kept && !pool.ending) void pool.connect().then(release, () => {});
  });
  // The same for one that somebody has in use between two statements; the next statement tells them.
  pool.on('connect', (client) => {
    client.on('error', () => {});
    silence.add(client);
  });
  const names = new StatementNames();
  const db = dbWith({
    options: pool.options,
    connect: async () => {
      const client = await pool.connect();
      return named(client, names, () => client.release());
    },
    end: () => pool.end(),
  });
  return {
    pool,
    db,
    newClient: () => {
      const client = new StoreClient(connection);
      client.on('error', (error) => options.onError?.(error));
      client.once('connect', () => silence.add(client));
      return client;
    },
    dbOn: (client) =>
      dbWith({
        options: {},
        connect: () => Promise.resolve(named(client, names, () => {})),
        end: () => Promise.resolve(),
      }),
    close: () => db.destroy(),
  };
}

export function connectionOf(address: StoreAddress): pg.ClientConfig {
  return address.kind === 'url'
    ? { connectionString: address.url }
    : { host: address.directory, port: 5432, user: 'lilac', password: address.password, database: 'postgres' };
}

function dbWith(pool: PostgresPool): Db {
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
}

/** A named statement is parsed and planned once per connection; beyond this many texts, naming stops. */
const MAX_NAMED_STATEMENTS = 500;

class StatementNames {
  #names = new Map<string, string>();
  #times = 0;

  of(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known || this.#names.size >= MAX_NAMED_STATEMENTS) return known;
    const name = `k${this.#times}_${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }

  /** Others from now on: what connections have prepared is not used any more. */
  renew(): void {
    this.#names = new Map();
    this.#times++;
  }
}

/** A newer program has given a table another column: what was prepared before has other columns than it says. */
export function isOutdated(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '0A000' && error.message.startsWith('cached plan');
}

function named(client: pg.ClientBase, names: StatementNames, release: () => void): PostgresPoolClient {
  const run = (text: string, values: readonly unknown[]) =>
    queryDescribed(client, { name: names.of(text), text, values: [...values] });
  const query = async (text: string, values: readonly unknown[]) => {
    // A text without values may hold several statements (migrations), which cannot be named.
    if (values.length === 0) return client.query(text);
    const before = names.of(text);
    try {
      return await run(text, values);
    } catch (error) {
      if (!isOutdated(error)) throw error;
      if (names.of(text) === before) names.renew();
      // In a transaction it is too late: that is to be tried again as a whole.
      return await run(text, values).catch(() => {
        throw error;
      });
    }
  };
  return {
    query: (text: unknown, values?: readonly unknown[]) =>
      typeof text === 'string' ? query(text, values ?? []) : client.query(text as never),
    release,
  } as unknown as PostgresPoolClient;
}

const release = (client: pg.PoolClient): void => client.release();

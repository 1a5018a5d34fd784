import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseType } from '@lilac/contract/states';
import { readConfig, type Config } from '../../../config.ts';
import type { DatabaseRow } from '../../../db/schema.ts';
import type { SourceLimit } from '../../../engines/address/limit-rules.ts';
import type { Lead, StableAddresses } from '../../../engines/address/stable-address.ts';
import type { ServerPlace, ServerSpace } from '../../../engines/host/server-host.ts';
import { newId } from '../../../lib/ids.ts';
import { silentLog } from '../../../lib/log.ts';
import { removeTree } from '../../../lib/remove-tree.ts';
import { createDatabase } from '../../../testing/factories.ts';
import { eventually } from '../../../testing/eventually.ts';
import { createFakeClock, type FakeClock } from '../../../testing/fake-clock.ts';
import { createTestStore, type TestStore } from '../../../testing/test-store.ts';
import { openKeyring } from '../../../secrets/key-file.ts';
import { listActivityOfOrganisation } from '../../activity/activity-store.ts';
import { createDatabaseLocks, type DatabaseLocks } from '../database-locks.ts';
import { createDatabaseKeeper, type DatabaseKeeper } from '../keeper/create-database-keeper.ts';
import type { KeeperTiming } from '../keeper/keeper-deps.ts';
import { insertServer, markMade } from '../server-store.ts';
import { specOf } from '../spec-of.ts';
import { readPair, type Pair } from '../standby/read-pair.ts';
import { createKeeperEngine, type KeeperEngine, type KeptServer } from './keeper-engine.ts';

/** A store with databases, servers in memory, and keepers that come and go. */
export interface KeeperBench extends AsyncDisposable {
  store: TestStore;
  config: Config;
  engine: KeeperEngine;
  clock: FakeClock;
  /** The locks of the keeper that runs. */
  locks: DatabaseLocks;
  /** Where ports lead. */
  leads: Map<number, number>;
  /** How many connections one machine may have, by port. */
  limits: SourceLimit[];
  /** By server; one that is not here has room. */
  spaces: Map<string, Partial<ServerSpace> & { hasReserve?: boolean }>;
  /** Called around every change of an address. */
  aroundPoint: (moment: 'before' | 'after') => void | Promise<void>;
  /** A database with its servers, all made and running; with high availability, in step. */
  add(columns?: Partial<DatabaseRow>): Promise<string>;
  keep(timing?: Partial<KeeperTiming>): Promise<DatabaseKeeper>;
  /** It does nothing more, wherever it was. */
  kill(keeper: DatabaseKeeper): void;
  read(databaseId: string): Promise<Pair>;
  primaryOf(databaseId: string): Promise<KeptServer>;
  standbyOf(databaseId: string): Promise<KeptServer | null>;
  /** As a client at the database's address: what was acknowledged is remembered. */
  write(databaseId: string, value: string): Promise<boolean>;
  /** Of what was acknowledged, what a client does not find. */
  lost(databaseId: string): Promise<string[]>;
  settled(databaseId: string, servers: number): Promise<Pair>;
  /** What customers were told in the activity, in its order. */
  told(): Promise<string[]>;
}

const ORGANISATION = 'org_keeper';
const GB = 2 ** 30;

const QUICK: Partial<KeeperTiming> = {
  lookMs: 20,
  probeMs: 20,
  probeWithinMs: 50,
  stepMs: 10,
  outOfStepMs: 60,
  accessMs: 20,
  firstBackoffMs: 2,
  longestBackoffMs: 20,
};

export async function createKeeperBench(type: DatabaseType = 'postgresql'): Promise<KeeperBench> {
  const store = await createTestStore();
  const home = mkdtempSync(join(tmpdir(), 'lilac-keeper-'));
  const config = readConfig({ LILAC_HOME: home });
  const keyring = openKeyring(join(home, 'keyring.json'));
  const clock = createFakeClock();
  const engine = createKeeperEngine(type);
  const leads = new Map<number, number>();
  const spaces: KeeperBench['spaces'] = new Map();
  const acknowledged = new Map<string, string[]>();
  const keepers: DatabaseKeeper[] = [];
  const killed = new Set<DatabaseKeeper>();
  await store.db.insertInto('organisations').values({ id: ORGANISATION, name: 'K', slug: 'k', plan: 'pro' }).execute();

  const addresses: StableAddresses = {
    name: 'redirect',
    async point(port, lead) {
      await bench.aroundPoint('before');
      if (lead) leads.set(port, lead.target);
      else leads.delete(port);
      await bench.aroundPoint('after');
    },
    list: () => Promise.resolve(leads),
    hold(wanted: ReadonlyMap<number, Lead>) {
      leads.clear();
      for (const [port, { target }] of wanted) leads.set(port, target);
      return Promise.resolve();
    },
  };

  const host = {
    find: (serverId: string) => Promise.resolve(engine.servers.has(serverId) ? ({ serverId } as ServerPlace) : null),
    async space({ serverId }: ServerPlace) {
      const promisedBytes = 10 * GB;
      return { usedBytes: 0, promisedBytes, hardBytes: promisedBytes + GB, ...spaces.get(serverId) };
    },
    giveUpReserve: async ({ serverId }: ServerPlace) =>
      void spaces.set(serverId, { ...spaces.get(serverId), hasReserve: false }),
    keepReserve: async ({ serverId }: ServerPlace) =>
      void spaces.set(serverId, { ...spaces.get(serverId), hasReserve: true }),
  };

  const bench: KeeperBench = {
    store,
    config,
    engine,
    clock,
    locks: createDatabaseLocks(),
    leads,
    limits: [],
    spaces,
    aroundPoint: () => undefined,
    async add(columns = {}) {
      const { id } = await createDatabase({ store, keyring }, { organisationId: ORGANISATION });
      await store.db
        .updateTable('databases')
        .set({ name: 'Kept', database_type: type, ...columns })
        .where('id', '=', id)
        .execute();
      const database = await store.db
        .selectFrom('databases')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      const roles = database.ha_enabled ? (['primary', 'standby'] as const) : (['primary'] as const);
      for (const role of roles) {
        const row = {
          id: newId('dbs'),
          database_id: id,
          role,
          port: role === 'primary' ? database.port : database.port + 10_000,
        };
        await store.db.transaction().execute((tx) => insertServer(tx, row));
        await markMade(store.db, row.id);
      }
      const { primary, standby } = await bench.read(id);
      const first = engine.add(specOf(config, database, primary));
      if (!standby) return id;
      engine.add(specOf(config, database, standby)).followsId = primary.id;
      first.commitsWaitFor = standby.id;
      await store.db.updateTable('database_servers').set({ in_step: true }).where('id', '=', standby.id).execute();
      return id;
    },
    async keep(timing) {
      bench.locks = createDatabaseLocks();
      const keeper = createDatabaseKeeper({
        store,
        config,
        keyring,
        clock,
        log: silentLog,
        engines: { postgresql: createKeeperEngine('postgresql'), mysql: createKeeperEngine('mysql'), [type]: engine },
        objects: undefined as never,
        locks: bench.locks,
        addresses,
        limits: {
          hold: async (limits) => void bench.limits.splice(0, Infinity, ...limits),
          obstacle: () => Promise.resolve(null),
        },
        host,
        timing: { ...QUICK, ...timing },
      });
      keepers.push(keeper);
      await keeper.start();
      return keeper;
    },
    kill(keeper) {
      killed.add(keeper);
      void keeper.stop();
    },
    read: async (databaseId) => (await readPair(store.db, databaseId))!,
    primaryOf: async (databaseId) => engine.servers.get((await bench.read(databaseId)).primary.id)!,
    async standbyOf(databaseId) {
      const { standby } = await bench.read(databaseId);
      return (standby && engine.servers.get(standby.id)) ?? null;
    },
    async write(databaseId, value) {
      const { port } = (await bench.read(databaseId)).database;
      const isAcknowledged = engine.write(leads.get(port) ?? port, value);
      if (isAcknowledged) acknowledged.set(databaseId, [...(acknowledged.get(databaseId) ?? []), value]);
      return isAcknowledged;
    },
    async lost(databaseId) {
      const { data } = await bench.primaryOf(databaseId);
      return (acknowledged.get(databaseId) ?? []).filter((value) => !data.has(value));
    },
    async settled(databaseId, servers) {
      await eventually(`it is healthy with ${servers} servers`, async () => {
        const { database, primary, standby } = await bench.read(databaseId);
        const areThere = [primary, ...(standby ? [standby] : [])].every(({ id }) => engine.isRunning(id));
        const isPaired = servers === 1 ? standby === null : standby?.in_step === true;
        return database.status === 'healthy' && areThere && isPaired && engine.servers.size === servers;
      });
      return bench.read(databaseId);
    },
    async told() {
      const entries = await listActivityOfOrganisation(store.db, ORGANISATION, { limit: 100, offset: 0 });
      return entries.toReversed().map(({ action, actor_email, subject }) => `${actor_email}: ${action} ${subject}`);
    },
    async [Symbol.asyncDispose]() {
      engine.around = () => undefined;
      bench.aroundPoint = () => undefined;
      await Promise.all(keepers.filter((keeper) => !killed.has(keeper)).map((keeper) => keeper.stop()));
      await store[Symbol.asyncDispose]();
      await removeTree(home);
    },
  };
  return bench;
}

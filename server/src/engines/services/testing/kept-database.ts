import type { DatabaseType } from '@lilac/contract/states';
import type { Config } from '../../../config.ts';
import type { DatabaseRow } from '../../../db/schema.ts';
import { systemClock } from '../../../lib/clock.ts';
import { newId } from '../../../lib/ids.ts';
import { silentLog } from '../../../lib/log.ts';
import { createDatabaseLocks } from '../../../modules/databases/database-locks.ts';
import { createDatabaseKeeper } from '../../../modules/databases/keeper/create-database-keeper.ts';
import { insertServer, markMade } from '../../../modules/databases/server-store.ts';
import { specOf } from '../../../modules/databases/spec-of.ts';
import { readPair } from '../../../modules/databases/standby/read-pair.ts';
import { createKeeperEngine } from '../../../modules/databases/testing/keeper-engine.ts';
import { createTestStore } from '../../../testing/test-store.ts';
import { createStableAddresses } from '../../address/create-stable-addresses.ts';
import { freePort, makeDatabase, OWNER, type EngineSubject } from '../../conformance-subject.ts';
import type { ServerHost } from '../../host/server-host.ts';

export type KeptSubject = EngineSubject & { host: ServerHost; config: Config };

/** One database, with the keeper that the platform has, over servers of an engine. */
export interface KeptDatabase extends AsyncDisposable {
  port: number;
  serverId: string;
  row(): Promise<DatabaseRow>;
}

const ID = 'db_kept';

export async function keepDatabase(subject: KeptSubject, type: DatabaseType): Promise<KeptDatabase> {
  await using stack = new AsyncDisposableStack();
  const store = stack.use(await createTestStore());
  const port = await freePort();
  const serverId = newId('dbs');
  await store.db.insertInto('organisations').values({ id: 'org_1', name: 'K', slug: 'k', plan: 'pro' }).execute();
  await store.db
    .insertInto('databases')
    .values({
      id: ID,
      organisation_id: 'org_1',
      name: 'Kept',
      database_type: type,
      version: subject.version,
      tier: 'db-custom-1-1024',
      region: 'local',
      storage_gb: 1,
      ha_enabled: false,
      public_ip_enabled: true,
      database_name: OWNER.databaseName,
      admin_user: OWNER.user,
      admin_password: '',
      status: 'healthy',
      port,
    })
    .execute();
  const server = { id: serverId, database_id: ID, role: 'primary', port } as const;
  await store.db.transaction().execute((tx) => insertServer(tx, server));
  const read = async () => (await readPair(store.db, ID))!;
  const { database, primary } = await read();
  await makeDatabase(subject, specOf(subject.config, database, primary));
  await markMade(store.db, serverId);
  const addresses = await createStableAddresses({ config: subject.config, log: silentLog });
  const keeper = createDatabaseKeeper({
    store,
    config: subject.config,
    keyring: undefined as never,
    objects: undefined as never,
    clock: systemClock,
    log: silentLog,
    engines: {
      postgresql: createKeeperEngine('postgresql'),
      mysql: createKeeperEngine('mysql'),
      [type]: subject.engine,
    },
    locks: createDatabaseLocks(),
    addresses,
    limits: { hold: () => Promise.resolve(), obstacle: () => Promise.resolve(null) },
    host: subject.host,
    // Silence is noticed sooner than otherwise; all else is as the platform has it.
    timing: { probeMs: 500 },
  });
  await keeper.start();
  stack.defer(() => keeper.stop());
  const all = stack.move();
  return {
    port,
    serverId,
    row: async () => (await read()).database,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

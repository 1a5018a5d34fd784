import type { DatabaseType } from '@lilac/contract/states';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort, makeDatabase, OWNER } from '../../../engines/conformance-subject.ts';
import { findLost, startWriters } from '../../../engines/conformance-writers.ts';
import { createStableAddresses } from '../../../engines/address/create-stable-addresses.ts';
import type { StableAddresses } from '../../../engines/address/stable-address.ts';
import type { EngineSubject } from '../../../engines/conformance-subject.ts';
import type { ServerHost } from '../../../engines/host/server-host.ts';
import { findPrograms as findMysql } from '../../../engines/mysql/programs.ts';
import { openMysql } from '../../../engines/mysql/testing/mysql-subject.ts';
import { findPrograms as findPostgresql } from '../../../engines/postgresql/programs.ts';
import { openPostgresql } from '../../../engines/postgresql/testing/postgresql-subject.ts';
import type { Config } from '../../../config.ts';
import { newId } from '../../../lib/ids.ts';
import { silentLog } from '../../../lib/log.ts';
import { systemClock } from '../../../lib/clock.ts';
import { eventually } from '../../../testing/eventually.ts';
import { createTestStore, type TestStore } from '../../../testing/test-store.ts';
import { createDatabaseLocks } from '../database-locks.ts';
import { insertServer, markMade } from '../server-store.ts';
import { specOf } from '../spec-of.ts';
import { readPair } from '../standby/read-pair.ts';
import { createKeeperEngine } from '../testing/keeper-engine.ts';
import { createDatabaseKeeper, type DatabaseKeeper } from './create-database-keeper.ts';

/** The keeper over real servers: what the stand-in promises in the other tests is tried here. */
type Subject = EngineSubject & { host: ServerHost; config: Config };

const [postgresql] = await findPostgresql(null);
const { programs: mysql } = await findMysql();
const kinds: { type: DatabaseType; open: () => Promise<Subject> }[] = [
  ...(postgresql ? [{ type: 'postgresql' as const, open: () => openPostgresql(postgresql) }] : []),
  ...(mysql ? [{ type: 'mysql' as const, open: () => openMysql() }] : []),
];

const ID = 'db_kept';
const ROUNDS = 3;

describe.each(kinds)('databases of $type', ({ type, open }) => {
  let store: TestStore;
  let subject: Subject;
  let addresses: StableAddresses;
  let keeper: DatabaseKeeper;
  let port: number;

  beforeAll(async () => {
    store = await createTestStore();
    subject = await open();
    addresses = await createStableAddresses({ config: subject.config, log: silentLog });
    port = await freePort();
    await insertRows();
    const { database, primary } = (await readPair(store.db, ID))!;
    await makeDatabase(subject, specOf(subject.config, database, primary));
    await markMade(store.db, primary.id);
    keeper = await keep();
  });
  afterAll(async () => {
    await keeper?.stop();
    await addresses?.hold(new Map());
    await subject?.[Symbol.asyncDispose]();
    await store?.[Symbol.asyncDispose]();
  });

  async function keep(): Promise<DatabaseKeeper> {
    const { engine, config, host } = subject;
    const next = createDatabaseKeeper({
      store,
      config,
      keyring: undefined as never,
      objects: undefined as never,
      clock: systemClock,
      log: silentLog,
      engines: { postgresql: createKeeperEngine('postgresql'), mysql: createKeeperEngine('mysql'), [type]: engine },
      locks: createDatabaseLocks(),
      addresses,
      limits: { hold: () => Promise.resolve(), obstacle: () => Promise.resolve(null) },
      host,
    });
    await next.start();
    return next;
  }

  async function insertRows(): Promise<void> {
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
        ha_enabled: true,
        public_ip_enabled: true,
        database_name: OWNER.databaseName,
        admin_user: OWNER.user,
        admin_password: '',
        status: 'healthy',
        port,
      })
      .execute();
    const row = { id: newId('dbs'), database_id: ID, role: 'primary', port } as const;
    await store.db.transaction().execute((tx) => insertServer(tx, row));
  }

  const paired = () =>
    eventually('it is healthy with a standby in step', async () => {
      const pair = await readPair(store.db, ID);
      const servers = await subject.engine.list();
      return pair?.database.status === 'healthy' && pair.standby?.in_step === true && servers.length === 2;
    });
  const row = async () => (await readPair(store.db, ID))!.database;
  const primaryId = async () => (await readPair(store.db, ID))!.primary.id;

  it('get a standby, which takes over when the primary is killed; nothing acknowledged is lost', async () => {
    await paired();
    for (let round = 0; round < ROUNDS; round++) {
      const before = await primaryId();
      const writers = await startWriters(subject, port);
      await writers.untilMore(200);
      process.kill(await subject.mainPid(before), 'SIGKILL');
      const killedAt = performance.now();
      await eventually('it took over', async () => (await primaryId()) !== before);
      await writers.untilMore(1);
      console.log(`${type}: writes were refused for ${Math.round(performance.now() - killedAt)} ms`);
      await writers.untilMore(100);
      await writers.stop();
      await using client = await subject.connect({ ...OWNER, port });
      expect(await findLost(client, writers.acknowledged)).toEqual([]);
      await client.query('drop table written');
      await paired();
    }
  });

  it('go on without a standby that was killed, and have it in step again', async () => {
    await paired();
    const before = (await readPair(store.db, ID))!;
    const writers = await startWriters(subject, port);
    await writers.untilMore(100);
    process.kill(await subject.mainPid(before.standby!.id), 'SIGKILL');
    await writers.untilMore(500);
    await paired();
    await writers.stop();
    const after = (await readPair(store.db, ID))!;
    expect([after.primary.id, after.standby!.id]).toEqual([before.primary.id, before.standby!.id]);
    await using client = await subject.connect({ ...OWNER, port });
    expect(await findLost(client, writers.acknowledged)).toEqual([]);
    await client.query('drop table written');
  });

  it('are not touched by a keeper that takes over', async () => {
    await paired();
    const { primary, standby } = (await readPair(store.db, ID))!;
    const pids = () => Promise.all([primary.id, standby!.id].map((id) => subject.mainPid(id)));
    const before = await pids();
    await keeper.stop();
    await using client = await subject.connect({ ...OWNER, port });
    keeper = await keep();
    await client.query('select 1');
    await paired();
    expect(await pids()).toEqual(before);
    const connections = async () =>
      (await store.db.selectFrom('database_minutes').selectAll().orderBy('minute').execute()).at(-1)?.connections;
    await eventually('its use is written down', async () => (await connections()) === 1);
  });

  it.each(type === 'mysql' ? [] : ['their storage'])(
    'refuse writes before %s ends, are read on, and take writes again when there is room',
    async () => {
      await paired();
      const fill = async () => {
        await using client = await subject.connect({ ...OWNER, port });
        await client.query('create table if not exists big (filling text)');
        await client.query('alter table big alter column filling set storage external');
        for (;;) await client.query('insert into big select repeat(md5(n::text), 1000) from generate_series(1, 300) n');
      };
      await expect(fill()).rejects.toThrow(/read-only|terminat/);
      await eventually('it is full', async () => (await row()).is_full && (await row()).status === 'degraded');
      const refused = await subject.connect({ ...OWNER, port });
      await expect(refused.query('create table more (n int)')).rejects.toThrow(/read-only/);
      expect(await refused.query('select count(*) > 0 as is_there from big')).toEqual([{ is_there: true }]);
      for (const statement of subject.freeing) await refused.query(statement);
      await refused[Symbol.asyncDispose]();
      await eventually('it has room', async () => !(await row()).is_full && (await row()).status === 'healthy');
      await using client = await subject.connect({ ...OWNER, port });
      await client.query('create table more (n int)');
    },
  );
});

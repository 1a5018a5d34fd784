import { describe, expect, it, onTestFinished } from 'vitest';
import { beginSnapshot, copyOut, holdObjects, listTables } from '../backup/backup-store.ts';
import { eventually } from '../testing/eventually.ts';
import { createTestStore } from '../testing/test-store.ts';
import { currentMigration, migrate, migrationNames, type MigrateOptions } from './migrate.ts';
import type { Db, Store } from './pool.ts';

it('brings an empty store to the newest schema, and does nothing the second time', async () => {
  await using store = await createTestStore({ migrated: false });
  expect(await currentMigration(store.db)).toBeNull();
  expect(await migrate(store.db)).toEqual(migrationNames());
  expect(await migrate(store.db)).toEqual([]);
  expect(await currentMigration(store.db)).toBe(migrationNames().at(-1));
});

it('lets many processes migrate at once', async () => {
  await using store = await createTestStore({ migrated: false });
  const applied = await Promise.all([1, 2, 3].map(() => migrate(store.db)));
  expect(applied.flat()).toEqual(migrationNames());
});

/** A store that the newest program has yet to come to, and who uses it as the one before does. */
async function createOlderStore() {
  const store = await createTestStore({ migrated: false });
  await migrate(store.db, { upTo: older });
  const newClient = async () => {
    const client = store.newClient();
    await client.connect();
    onTestFinished(() => client.end().catch(() => {}));
    return client;
  };
  return { store, newClient };
}

/**
 * Hosts of the newest program, which begin to bring the store up to date; ends when each has said why it is not yet.
 */
async function begin(db: Db, { hosts = 1, ...options }: MigrateOptions & { hosts?: number } = {}) {
  const timing = { lockMs: 100, firstPauseMs: 10, longestPauseMs: 20 };
  const said: string[][] = Array.from({ length: hosts }, () => []);
  const all = said.map((reasons) => migrate(db, { timing, onWait: (why) => reasons.push(why), ...options }));
  const done = Promise.all(all);
  done.catch(() => {});
  await eventually('each waits', () => said.every((reasons) => reasons.length > 0));
  return { done, said };
}

/** The last one that alters a table that is in use, and what has come since. */
const ALTERING = '0032-activity-deployment';
const TABLE = 'activity_entries';
const newer = migrationNames().filter((name) => name >= ALTERING);
const older = migrationNames().findLast((name) => name < ALTERING)!;
const waiters = async ({ pool }: Store) => {
  const { rows } = await pool.query<{ name: string }>(
    `select relation::regclass::text as name from pg_locks
     where locktype = 'relation' and not granted
       and database = (select oid from pg_database where datname = current_database())`,
  );
  return rows.map(({ name }) => name);
};

describe('beside others who use the store', () => {
  it('waits for the end of a backup, and nobody waits meanwhile', async () => {
    const { store, newClient } = await createOlderStore();
    await using _ = store;
    const backup = await newClient();
    await holdObjects(backup);
    await beginSnapshot(backup);
    const tables = await listTables(backup);
    for (const table of tables.filter((each) => each.table === TABLE)) await copyOut(backup, table).toArray();
    const { done, said } = await begin(store.db);
    for (let look = 0; look < 10; look++) expect(await waiters(store)).toEqual([]);
    await store.pool.query(`select from ${TABLE}`);
    expect(new Set(said[0])).toEqual(new Set(['a backup or a restore goes on']));
    await backup.end();
    expect(await done).toEqual([newer]);
  });

  it('lets them go on before whoever is in its way has ended, says who that is, and tries again', async () => {
    const { store, newClient } = await createOlderStore();
    await using _ = store;
    const [busy, other] = [await newClient(), await newClient()];
    await busy.query(`set application_name = 'busy'`);
    await busy.query(`begin; select from ${TABLE}`);
    const { pid } = (await busy.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!;
    const { done, said } = await begin(store.db);
    await eventually('it tries again', async () => (await waiters(store)).length > 0);
    // While the migration has the table next, this waits for it to give way.
    await other.query(`select from ${TABLE}`);
    expect(said[0]![0]).toMatch(new RegExp(`^its tables are in use by "busy" \\(process ${pid} .*\\)$`));
    expect(await currentMigration(store.db)).toBe(older);
    await busy.query('commit');
    expect(await done).toEqual([newer]);
    await expect(store.pool.query(`select deployment_id from ${TABLE}`)).resolves.toBeDefined();
  });

  it('of several hosts one does it, also after many attempts', async () => {
    const { store, newClient } = await createOlderStore();
    await using _ = store;
    const busy = await newClient();
    await busy.query(`begin; select from ${TABLE}`);
    const { done, said } = await begin(store.db, { hosts: 3 });
    expect(said.filter(([first]) => first === 'another process is at it')).toHaveLength(2);
    await busy.query('commit');
    expect((await done).flat()).toEqual(newer);
  });

  it('a host of the program before, which finds nothing to do, starts meanwhile', async () => {
    const { store, newClient } = await createOlderStore();
    await using _ = store;
    const busy = await newClient();
    await busy.query(`begin; select from ${TABLE}`);
    const { done } = await begin(store.db);
    expect(await migrate(store.db, { upTo: older })).toEqual([]);
    await busy.query('commit');
    await done;
  });

  it('ends when it is told to, and leaves nothing locked', async () => {
    const { store, newClient } = await createOlderStore();
    await using _ = store;
    const busy = await newClient();
    await busy.query(`begin; select from ${TABLE}`);
    const stopping = new AbortController();
    const { done } = await begin(store.db, { signal: stopping.signal });
    stopping.abort();
    await expect(done).rejects.toMatchObject({ name: 'AbortError' });
    await busy.query('commit');
    expect(await migrate(store.db)).toEqual(newer);
  });
});

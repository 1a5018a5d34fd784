import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { isStoreUnavailable } from './store-unavailable.ts';
import { eventually } from '../testing/eventually.ts';
import { createTestStore } from '../testing/test-store.ts';
import { openStore, type Db, type Store } from './pool.ts';

it('a connection that ends in the middle of a transaction fails the transaction, not the process', async () => {
  await using store = await createTestStore();
  const cut = store.db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
    await store.pool.query('select pg_terminate_backend($1, 10000)', [rows[0]!.pid]);
    await sql`select 1`.execute(tx);
  });
  await expect(cut).rejects.toThrow(/terminat|connection|not queryable/i);
  const { rows } = await store.pool.query('select 1 as answer');
  expect(rows).toEqual([{ answer: 1 }]);
});

it('keeps as many idle connections as it is told, and gives the others up', async () => {
  await using store = await createTestStore();
  const other = openStore({ kind: 'url', url: store.url }, { max: 3, applicationName: 'kept', idleMs: 50, kept: 1 });
  const count = async () => {
    const text = `select 1 from pg_stat_activity where datname = current_database() and application_name = 'lilac kept'`;
    return (await store.pool.query(text)).rows.length;
  };
  await Promise.all(Array.from({ length: 3 }, () => other.pool.query('select pg_sleep(0.1)')));
  await eventually('the others are given up', async () => (await count()) === 1);
  // As long again as it took to give up those.
  await other.pool.query('select pg_sleep(0.1)');
  expect(await count()).toBe(1);
  await other.pool.end();
});

it('gives a connection up after its time, not while somebody has it, and keeps as many as it is told', async () => {
  await using store = await createTestStore();
  const name = { max: 3, applicationName: 'aged' };
  const other = openStore({ kind: 'url', url: store.url }, { ...name, idleMs: 60_000, lifetimeMs: 100, kept: 1 });
  const pids = async () => {
    const text = `select pid from pg_stat_activity where datname = current_database() and application_name = 'lilac aged'`;
    return (await store.pool.query<{ pid: number }>(text)).rows.map(({ pid }) => pid);
  };
  const answer = await other.db.transaction().execute(async (tx) => {
    await sql`select pg_sleep(0.3)`.execute(tx);
    return await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
  });
  const first = answer.rows[0]!.pid;
  await eventually('it is given up, and another is there, though nobody asks', async () => {
    const there = await pids();
    return there.length === 1 && !there.includes(first);
  });
  const [second] = await pids();
  await eventually('and that one in its turn', async () => {
    const there = await pids();
    return there.length === 1 && there[0] !== second;
  });
  expect((await other.pool.query('select 1 as answer')).rows).toEqual([{ answer: 1 }]);
  await other.close();
  await eventually('none is made once it is closed', async () => (await pids()).length === 0);
});

const read = (db: Db) => db.selectFrom('organisations').selectAll().where('id', '=', 'org_none').execute();
const addColumn = (store: Store) => store.pool.query('alter table organisations add column colour text');

describe('while a newer program adds a column', () => {
  it('what was prepared before is answered all the same, on every connection', async () => {
    await using store = await createTestStore();
    const client = store.newClient();
    await client.connect();
    const own = store.dbOn(client);
    await Promise.all([read(store.db), read(store.db), read(store.db), read(own)]);
    await addColumn(store);
    for (let time = 0; time < 3; time++) {
      expect(await Promise.all([read(store.db), read(store.db), read(store.db), read(own)])).toEqual([[], [], [], []]);
    }
    await client.end();
  });

  it('a transaction is told to try again, once', async () => {
    await using store = await createTestStore();
    const inTransaction = () => store.db.transaction().execute((tx) => read(tx));
    await inTransaction();
    await addColumn(store);
    const failure: unknown = await inTransaction().catch((error: unknown) => error);
    expect(isStoreUnavailable(failure)).toBe(true);
    expect(await inTransaction()).toEqual([]);
  });
});

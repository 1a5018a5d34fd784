import { expect, it } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { createTestStore, type TestStore } from '../testing/test-store.ts';
import {
  findRoute,
  forgetEdge,
  publishRoute,
  readEdgeLoads,
  readRoutesAfter,
  reportEdge,
  type RouteChange,
} from './route-store.ts';

/** Publishes, and commits when it is told to. */
async function publishSlowly({ db }: TestStore, change: RouteChange) {
  const [published, mayEnd] = [Promise.withResolvers<number>(), Promise.withResolvers<void>()];
  const ended = db.transaction().execute(async (tx) => {
    published.resolve(await publishRoute(tx, change));
    await mayEnd.promise;
  });
  return {
    version: await published.promise,
    async end() {
      mayEnd.resolve();
      await ended;
    },
  };
}

const publish = ({ db }: TestStore, change: RouteChange) => db.transaction().execute((tx) => publishRoute(tx, change));

async function numberOf({ pool }: TestStore, query: string): Promise<number> {
  return Number((await pool.query<{ n: string }>(query)).rows[0]!.n);
}

const WAITING = `select count(*) as n from pg_locks where locktype = 'advisory' and not granted
  and database = (select oid from pg_database where datname = current_database())`;

it('a version is drawn, and becomes visible, after all before it are', async () => {
  await using store = await createTestStore();
  const slow = await publishSlowly(store, { environmentId: 'env_1', subdomain: 'one' });
  const quick = publish(store, { environmentId: 'env_2', subdomain: 'two' });
  await eventually('the second waits', async () => (await numberOf(store, WAITING)) === 1);
  expect(await numberOf(store, 'select last_value as n from route_versions')).toBe(slow.version);
  expect(await readRoutesAfter(store.db, 0)).toEqual([]);
  await slow.end();
  expect(await quick).toBeGreaterThan(slow.version);
  const seen = await readRoutesAfter(store.db, 0);
  expect(seen.map(({ version }) => version)).toEqual([slow.version, await quick]);
});

it('who waited goes on from what was published meanwhile', async () => {
  await using store = await createTestStore();
  const lock = { key: 'of the first' };
  const slow = await publishSlowly(store, { environmentId: 'env_1', subdomain: 'app', lock });
  const renamed = publish(store, { environmentId: 'env_1', subdomain: 'renamed' });
  await eventually('the second waits', async () => (await numberOf(store, WAITING)) === 1);
  await slow.end();
  await renamed;
  expect(await findRoute(store.db, 'env_1')).toMatchObject({ subdomain: 'renamed', lock });
});

const visitedBy = (...ids: string[]) => ({
  environments: Object.fromEntries(ids.map((id) => [id, { inFlight: 0, waiting: 0, requests: 1 }])),
  instances: {},
  silent: {},
});

it('an edge that reports is told how many edges live, and how many of them are visited for what it asks of', async () => {
  await using store = await createTestStore();
  const { db, pool } = store;
  const tight = ['env_a', 'env_b'];
  const one = { name: 'one', tight };
  expect(await reportEdge(db, 'one', 0, visitedBy('env_a'))).toEqual({ edges: 1, visited: new Map() });
  await reportEdge(db, 'two', 0, visitedBy('env_b', 'env_c'));
  await reportEdge(db, 'three', 0, visitedBy('env_b'));
  const visited = new Map([
    ['env_a', 1],
    ['env_b', 3],
  ]);
  expect(await reportEdge(db, one, 0, visitedBy('env_a', 'env_b', 'env_c'))).toEqual({ edges: 3, visited });
  // Who knows how many there are has them not counted.
  expect((await reportEdge(db, { name: 'one', knownEdges: 700 }, 0)).edges).toBe(700);
  await pool.query(`update edges set seen_at = now() - interval '1 minute' where name = 'three'`);
  await forgetEdge(db, 'two');
  expect((await reportEdge(db, one, 0)).visited.get('env_b')).toBe(1);
});

const loadOf = (inFlight: number) => ({
  environments: { env_1: { inFlight, waiting: 0, requests: 1 } },
  instances: {},
  silent: {},
});

it('what edges report is read once, however often it is looked for', async () => {
  await using store = await createTestStore();
  for (const name of ['one', 'two', 'gone']) await reportEdge(store.db, name, 1, loadOf(1));
  const first = await readEdgeLoads(store.db);
  expect(first.get('one')).toMatchObject({ version: 1, load: loadOf(1), isOverdue: false });

  await reportEdge(store.db, 'one', 2, loadOf(2));
  await reportEdge(store.db, 'new', 2, loadOf(3));
  await forgetEdge(store.db, 'gone');
  const second = await readEdgeLoads(store.db, first);
  expect([...second.keys()].toSorted()).toEqual(['new', 'one', 'two']);
  expect(second.get('one')).toMatchObject({ version: 2, load: loadOf(2) });
  expect(second.get('new')).toMatchObject({ version: 2, load: loadOf(3) });
  // The very one that was read before.
  expect(second.get('two')!.load).toBe(first.get('two')!.load);

  await store.pool.query(`update edges set seen_at = now() - interval '1 hour' where name = 'two'`);
  expect((await readEdgeLoads(store.db, second)).get('two')).toMatchObject({ load: loadOf(1), isOverdue: true });
  await forgetEdge(store.db, 'two');
  await reportEdge(store.db, 'two', 3);
  const anew = await readEdgeLoads(store.db, second);
  expect(anew.get('two')).toMatchObject({ version: 3, load: { environments: {} }, isOverdue: false });
});

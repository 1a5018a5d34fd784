import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore, type Store } from '../../db/pool.ts';
import { silentLog } from '../../lib/log.ts';
import { DEMAND_CHANNEL, DRAINED_CHANNEL } from '../../routing/edge-load.ts';
import type { RouteTarget } from '../../routing/route.ts';
import { publishRoute, readEdgeLoads } from '../../routing/route-store.ts';
import { eventually } from '../../testing/eventually.ts';
import { createTestStore } from '../../testing/test-store.ts';
import { Gates } from '../instances/gates.ts';
import { fine, instancesOf, TestWaiter } from '../instances/testing/gate-rig.ts';
import { SiteLibrary } from '../static/site-library.ts';
import { createRouteFeed } from './route-feed.ts';
import { readSnapshot, writeSnapshot } from './route-snapshot.ts';
import { RouteTable } from './route-table.ts';

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-report-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The gates of an edge, fed from the store. */
async function startGates(store: Store) {
  const folder = makeFolder();
  const table = new RouteTable();
  const gates = new Gates({ routes: table, tryConnect: () => Promise.resolve(true) });
  const feed = createRouteFeed({
    store,
    table,
    gates,
    sites: new SiteLibrary({ root: folder }),
    name: 'edge-1',
    snapshotPath: join(folder, 'routes.json'),
    log: silentLog,
  });
  await feed.start();
  const take = (environmentId = 'env_1') => {
    const { target } = table.ofEnvironment(environmentId)!;
    const waiter = new TestWaiter();
    gates.of(environmentId, target as ReturnType<typeof instancesOf>).take(waiter);
    return waiter;
  };
  const loads = async () => (await readEdgeLoads(store.db)).get('edge-1');
  return { table, gates, take, loads, [Symbol.asyncDispose]: () => feed.stop() };
}

async function hear(store: Store, channel: string): Promise<string[]> {
  const heard: string[] = [];
  const client = store.newClient();
  await client.connect();
  onTestFinished(() => client.end().catch(() => {}));
  client.on('notification', ({ payload = '' }) => heard.push(payload));
  await client.query(`listen ${channel}`);
  return heard;
}

/** Before it listens it has no connection to ask by, and leaves it to its next report. */
async function isListening(store: Store): Promise<boolean> {
  const { rows } = await store.pool.query(
    `select 1 from pg_stat_activity
     where datname = current_database() and state = 'idle' and application_name like '%, listening'`,
  );
  return rows.length > 0;
}

const publish = (store: Store, target: RouteTarget | null) =>
  store.db
    .transaction()
    .execute((tx) => publishRoute(tx, { environmentId: 'env_1', subdomain: target && 'shop', target }));

describe('an edge that holds requests', () => {
  it('asks for instances at once, and gives the requests to the first that is published', async () => {
    await using store = await createTestStore();
    await publish(store, instancesOf([]));
    await using edge = await startGates(store);
    const demands = await hear(store, DEMAND_CHANNEL);
    await eventually('the edge can ask', () => isListening(store));
    const waiters = Array.from({ length: 7 }, () => edge.take());
    await eventually('it has asked', () => demands.length > 0);
    expect(JSON.parse(demands[0]!)).toEqual({ environmentId: 'env_1', edge: 'edge-1', inFlight: 0, waiting: 7 });
    await publish(store, instancesOf(['a', 'b'], { concurrency: 4 }));
    await eventually('they have places', () => waiters.every(({ place }) => place !== null));
  });

  it('has it in its report, also when nobody heard it ask', async () => {
    await using store = await createTestStore();
    await publish(store, instancesOf([]));
    await using edge = await startGates(store);
    edge.take();
    const isHeld = async () => (await edge.loads())?.load.environments['env_1']?.waiting === 1;
    await eventually('it is reported', isHeld);
    expect((await edge.loads())?.load.instances).toEqual({});
  });

  it('goes on without the store, and asks nobody', async () => {
    const away = openStore(
      { kind: 'url', url: 'postgresql://lilac@127.0.0.1:1/x' },
      { max: 1, applicationName: 'none' },
    );
    await using edge = await startGates(away);
    edge.table.replaceAll([
      {
        environmentId: 'env_1',
        subdomain: 'shop',
        target: instancesOf([]),
        lock: null,
        accessLog: false,
        domain: null,
        atSubdomain: true,
        version: 1,
      },
    ]);
    const waiter = edge.take();
    await new Promise(setImmediate);
    expect([waiter.calls, edge.gates.held]).toEqual([0, 1]);
  });
});

describe('an instance that is withdrawn', () => {
  it('is told when its last request is over, and nothing of it is reported any more', async () => {
    await using store = await createTestStore();
    await publish(store, instancesOf(['a']));
    await using edge = await startGates(store);
    const drained = await hear(store, DRAINED_CHANNEL);
    const [one, two] = [edge.take(), edge.take()];
    const version = await publish(store, instancesOf(['b']));
    await eventually('the edge has it', async () => (await edge.loads())?.version === version);
    expect((await edge.loads())?.load.instances).toEqual({ a: 2 });
    one.place!.release(fine);
    expect(drained).toEqual([]);
    two.place!.release(fine);
    await eventually('it is told', () => drained.length > 0);
    expect(drained).toEqual(['a']);
    expect((await edge.loads())?.load.instances).toEqual({});
  });

  it('is in the report of the version that withdrew it, with all it still has', async () => {
    await using store = await createTestStore();
    await publish(store, instancesOf(['a']));
    await using edge = await startGates(store);
    const waiter = edge.take();
    const version = await publish(store, null);
    await eventually('the edge has it', async () => (await edge.loads())?.version === version);
    expect((await edge.loads())?.load.instances).toEqual({ a: 1 });
    waiter.place!.release(fine);
    await eventually('it is gone', async () => Object.keys((await edge.loads())!.load.instances).length === 0);
  });
});

describe('what an edge reports', () => {
  it('counts every request, however short', async () => {
    await using store = await createTestStore();
    await publish(store, instancesOf(['a']));
    await using edge = await startGates(store);
    for (let round = 0; round < 5; round++) edge.take().place!.release(fine);
    const isCounted = async () => (await edge.loads())?.load.environments['env_1'] !== undefined;
    await eventually('they are counted', isCounted);
    expect((await edge.loads())?.load.environments).toEqual({ env_1: { inFlight: 0, waiting: 0, requests: 5 } });
  });
});

describe('the snapshot', () => {
  it('keeps locks, for nobody else to read, and one that was written before there were any is still good', async () => {
    const path = join(makeFolder(), 'routes.json');
    const route = { environmentId: 'env_1', subdomain: 'shop', target: null, version: 1 };
    const known = { ...route, lock: { key: 'k' }, accessLog: true, domain: null, atSubdomain: true };
    await writeSnapshot(path, { version: 1, routes: [known] });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect((await readSnapshot(path))?.routes).toEqual([known]);
    await writeSnapshot(path, { version: 1, routes: [route as never] });
    expect((await readSnapshot(path))?.routes).toEqual([
      { ...route, lock: null, accessLog: false, domain: null, atSubdomain: true },
    ]);
  });
});

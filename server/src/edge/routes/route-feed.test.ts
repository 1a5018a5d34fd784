import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore, type Store } from '../../db/pool.ts';
import { silentLog } from '../../lib/log.ts';
import { artifactOf, type StaticTarget } from '../../routing/route.ts';
import { edgesBehind, publishRoute, reportEdge, type RouteChange } from '../../routing/route-store.ts';
import { eventually } from '../../testing/eventually.ts';
import { createTestStore } from '../../testing/test-store.ts';
import { ObjectCache } from '../cache/object-cache.ts';
import { openFaultyObjects } from '../cache/testing/faulty-objects.ts';
import { SiteLibrary } from '../static/site-library.ts';
import { writeRelease } from '../testing/write-release.ts';
import { createRouteFeed } from './route-feed.ts';
import { readSnapshot } from './route-snapshot.ts';
import { RouteTable } from './route-table.ts';

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-feed-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** An edge's table, fed from the store. */
async function startFeed(store: Store, folder: string, name = 'edge-1', cache?: ObjectCache) {
  const table = new RouteTable();
  const sites = new SiteLibrary({ root: folder, cache });
  const feed = createRouteFeed({
    store,
    table,
    sites,
    name,
    snapshotPath: join(folder, 'routes.json'),
    log: silentLog,
  });
  await feed.start();
  let isStopped = false;
  const stop = async () => {
    if (isStopped) return;
    isStopped = true;
    await feed.stop();
  };
  return { table, sites, stop, [Symbol.asyncDispose]: stop };
}

const targetOf = (artifactId: string, revision = 1): StaticTarget => ({
  kind: 'static',
  artifactId,
  deploymentId: 'dep_1',
  revision,
});

const targetIn = (table: RouteTable) => table.find('shop')?.target as StaticTarget | undefined;

async function isListenedTo(store: Store): Promise<boolean> {
  const { rowCount } = await store.pool.query(
    `select from pg_stat_activity where datname = current_database() and application_name like '%, listening'`,
  );
  return rowCount === 1;
}

const publish = (store: Store, change: RouteChange) => store.db.transaction().execute((tx) => publishRoute(tx, change));

/** A store that does not answer. */
const away = () =>
  openStore({ kind: 'url', url: 'postgresql://lilac@127.0.0.1:1/lilac' }, { max: 1, applicationName: 'none' });

describe('the routes of an edge', () => {
  it('are all there when it starts, and no release was read for that', async () => {
    await using store = await createTestStore();
    const target = targetOf('art_1');
    const version = await publish(store, { environmentId: 'env_1', subdomain: 'shop', target });
    await using edge = await startFeed(store, makeFolder());
    expect(edge.table.find('shop')).toMatchObject({ target, version });
    expect(await edgesBehind(store.db, version)).toEqual([]);
  });

  it('change when the release was read, and only then is that reported', async () => {
    await using store = await createTestStore();
    const folder = makeFolder();
    writeRelease(folder, { artifactId: 'art_1', files: { '/index.html': 'one' } });
    await using edge = await startFeed(store, folder);
    const version = await publish(store, { environmentId: 'env_1', subdomain: 'shop', target: targetOf('art_1') });
    await eventually('the edge has it', async () => (await edgesBehind(store.db, version)).length === 0);
    expect(edge.sites.peek(targetIn(edge.table)!)?.has('/index.html')).toBe(true);
  });

  it('are asked for, and told of, on the connection that hears of them: an edge at rest has no other', async () => {
    await using store = await createTestStore();
    await using _edge = await startFeed(store, makeFolder());
    await eventually('it reports there', async () => {
      const { rowCount } = await store.pool.query(`
        select from pg_stat_activity where datname = current_database()
        and application_name like '%, listening' and query like 'insert into "edges"%'`);
      return rowCount === 1;
    });
    expect(await edgesBehind(store.db, 0)).toEqual([]);
  });

  it('stay as they were while a new release cannot be read, which holds nobody else up', async () => {
    await using store = await createTestStore();
    const folder = makeFolder();
    writeRelease(folder, { artifactId: 'art_1', files: { '/index.html': 'one' } });
    const first = await publish(store, { environmentId: 'env_1', subdomain: 'shop', target: targetOf('art_1') });
    await using edge = await startFeed(store, folder);
    const broken = await publish(store, { environmentId: 'env_1', subdomain: 'shop', target: targetOf('art_2') });
    const other = await publish(store, { environmentId: 'env_2', subdomain: 'blog', target: targetOf('art_1') });
    await eventually('the other is served', () => edge.table.find('blog')?.version === other);
    expect(edge.table.find('shop')).toMatchObject({ version: first, target: { artifactId: 'art_1' } });
    expect(await edgesBehind(store.db, broken)).toEqual(['edge-1']);
    expect(await edgesBehind(store.db, first)).toEqual([]);
    writeRelease(folder, { artifactId: 'art_2', files: { '/index.html': 'two' } });
    await eventually('the edge has it', async () => (await edgesBehind(store.db, other)).length === 0);
    expect(edge.table.find('shop')).toMatchObject({ version: broken, target: { artifactId: 'art_2' } });
  });

  it('change only when the first page of a store elsewhere is here too; one that says nothing holds nobody up', async () => {
    await using store = await createTestStore();
    const elsewhere = openFaultyObjects();
    const cache = new ObjectCache({ root: makeFolder(), objects: elsewhere.objects, maxBytes: 2 ** 30, stallMs: 1500 });
    writeRelease(elsewhere.root, { artifactId: 'art_1', files: { '/index.html': 'one', '/later.html': 'later' } });
    await using edge = await startFeed(store, makeFolder(), 'edge-1', cache);
    elsewhere.state.mood = 'silent';
    const slow = await publish(store, { environmentId: 'env_1', subdomain: 'shop', target: targetOf('art_1') });
    const other = await publish(store, { environmentId: 'env_2', subdomain: 'blog', target: null });
    await eventually('the other is served', () => edge.table.find('blog')?.version === other);
    expect(edge.table.find('shop')).toBeUndefined();
    expect(await edgesBehind(store.db, slow)).toEqual(['edge-1']);
    elsewhere.state.mood = 'well';
    await eventually('the edge has it', async () => (await edgesBehind(store.db, other)).length === 0);
    expect(edge.table.find('shop')?.version).toBe(slow);
    const blobs = elsewhere.reads.filter((key) => key.startsWith('blobs/'));
    expect(new Set(blobs).size).toBe(1);
  });

  it('go back at once when what could not be read is withdrawn', async () => {
    await using store = await createTestStore();
    const folder = makeFolder();
    writeRelease(folder, { artifactId: 'art_1', files: {} });
    const change = { environmentId: 'env_1', subdomain: 'shop' };
    await publish(store, { ...change, target: targetOf('art_1') });
    await using edge = await startFeed(store, folder);
    await publish(store, { ...change, target: targetOf('art_gone') });
    const back = await publish(store, { ...change, target: targetOf('art_1') });
    await eventually('the edge has it', async () => (await edgesBehind(store.db, back)).length === 0);
    expect(edge.table.find('shop')?.version).toBe(back);
  });

  it('follow a release that was written anew', async () => {
    await using store = await createTestStore();
    const folder = makeFolder();
    writeRelease(folder, { artifactId: 'art_1', files: { '/a.html': 'a' } });
    await using edge = await startFeed(store, folder);
    const change = { environmentId: 'env_1', subdomain: 'shop' };
    await publish(store, { ...change, target: targetOf('art_1') });
    await eventually('it is there', () => edge.table.find('shop') !== undefined);
    writeRelease(folder, { artifactId: 'art_1', files: { '/b.html': 'b' } });
    await publish(store, { ...change, target: targetOf('art_1', 2) });
    await eventually('it is read again', () => targetIn(edge.table)?.revision === 2);
    expect(edge.sites.peek(targetIn(edge.table)!)?.has('/b.html')).toBe(true);
  });

  it('follow an environment that is renamed, and one that takes its name, and lose one that is deleted', async () => {
    await using store = await createTestStore();
    await using edge = await startFeed(store, makeFolder());
    await publish(store, { environmentId: 'env_1', subdomain: 'shop', target: null });
    await publish(store, { environmentId: 'env_1', subdomain: 'store', target: null });
    await publish(store, { environmentId: 'env_2', subdomain: 'shop', target: null });
    await publish(store, { environmentId: 'env_3', subdomain: 'gone', target: null });
    const version = await publish(store, { environmentId: 'env_3', subdomain: null, target: null });
    await eventually('the edge has it', async () => (await edgesBehind(store.db, version)).length === 0);
    expect(['store', 'shop', 'gone'].map((name) => edge.table.find(name)?.environmentId)).toEqual([
      'env_1',
      'env_2',
      undefined,
    ]);
  });

  it('are not waited for when the edge has stopped', async () => {
    await using store = await createTestStore();
    const edge = await startFeed(store, makeFolder());
    await edge.stop();
    const version = await publish(store, { environmentId: 'env_1', subdomain: 'shop', target: null });
    expect(await edgesBehind(store.db, version)).toEqual([]);
    await reportEdge(store.db, 'edge-2', version - 1);
    expect(await edgesBehind(store.db, version)).toEqual(['edge-2']);
  });
});

describe('without the store', () => {
  it('an edge starts with the routes it had', async () => {
    const folder = makeFolder();
    {
      await using store = await createTestStore();
      await publish(store, { environmentId: 'env_1', subdomain: 'shop', target: targetOf('art_1') });
      await using edge = await startFeed(store, folder);
      expect(edge.table.find('shop')).toBeDefined();
    }
    await using edge = await startFeed(away(), folder);
    expect(edge.table.isKnown).toBe(true);
    expect(artifactOf(edge.table.find('shop')?.target)).toBe('art_1');
  });

  it('an edge that never had any says that it knows nothing', async () => {
    const folder = makeFolder();
    writeFileSync(join(folder, 'routes.json'), '{"format":1,"version":7,"count":2}\n{"environmentId":"env_1"}\n');
    await using edge = await startFeed(away(), folder);
    expect(edge.table.isKnown).toBe(false);
  });

  it('an edge goes on, and catches up when it is back: also on what was taken away meanwhile', async () => {
    await using store = await createTestStore();
    const folder = makeFolder();
    await publish(store, { environmentId: 'env_1', subdomain: 'shop', target: null });
    await publish(store, { environmentId: 'env_2', subdomain: 'old', target: null });
    await using edge = await startFeed(store, folder);
    await eventually('it listens', () => isListenedTo(store));
    await store.pool.query('alter table routes rename to routes_away');
    await store.pool.query(`delete from routes_away where environment_id = 'env_2'`);
    await store.pool
      .query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)
      .catch(() => {});
    expect(edge.table.find('shop')).toBeDefined();
    await store.pool.query('alter table routes_away rename to routes');
    const version = await publish(store, { environmentId: 'env_3', subdomain: 'new', target: null });
    await eventually('the edge has it', async () => (await edgesBehind(store.db, version)).length === 0);
    await eventually('what is gone is gone', () => edge.table.find('old') === undefined);
    expect(edge.table.find('new')).toBeDefined();
  });
});

describe('the snapshot', () => {
  it('is written by one edge at a time, and by the next when that one is gone', async () => {
    await using store = await createTestStore();
    const folder = makeFolder();
    const versionOnDisk = async () => (await readSnapshot(join(folder, 'routes.json')))?.version;
    await using first = await startFeed(store, folder, 'edge-1');
    const version = await publish(store, { environmentId: 'env_1', subdomain: 'shop', target: null });
    await eventually('it is on disk', async () => (await versionOnDisk()) === version);
    await using second = await startFeed(store, folder, 'edge-2');
    await first.stop();
    const next = await publish(store, { environmentId: 'env_1', subdomain: 'store', target: null });
    await eventually('it is on disk', async () => (await versionOnDisk()) === next);
    expect(second.table.find('store')).toBeDefined();
  });
});

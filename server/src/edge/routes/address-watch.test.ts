import { mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../db/pool.ts';
import { silentLog } from '../../lib/log.ts';
import type { Route } from '../../routing/route.ts';
import { eventually } from '../../testing/eventually.ts';
import { instancesOf } from '../instances/testing/gate-rig.ts';
import { SiteLibrary } from '../static/site-library.ts';
import { watchAddresses } from './address-watch.ts';
import { createRouteFeed } from './route-feed.ts';
import { writeSnapshot } from './route-snapshot.ts';
import { RouteTable } from './route-table.ts';

const SOON = { unheardMs: 5, lookEveryMs: 5, givenUpAfterMs: 30 };

const routeOf = (environmentId: string, ids: string[]): Route => ({
  environmentId,
  subdomain: environmentId.replace('_', '-'),
  target: instancesOf(ids),
  lock: null,
  accessLog: false,
  domain: null,
  atSubdomain: true,
  version: 7,
});

const idsIn = (table: RouteTable, environmentId: string): string[] => {
  const target = table.ofEnvironment(environmentId)?.target;
  return target?.kind === 'instances' ? target.instances.map(({ id }) => id) : [];
};

/** An edge's table, and who listens at the addresses in it. */
function openWatch(timing: Parameters<typeof watchAddresses>[0]['timing'] = SOON) {
  const table = new RouteTable();
  table.replaceAll([routeOf('env_1', ['a', 'b']), routeOf('env_2', ['c'])]);
  const listening = new Set(['a', 'b', 'c']);
  const looks: boolean[] = [];
  const watch = watchAddresses({
    table,
    log: silentLog,
    onLook: (hasChanged) => looks.push(hasChanged),
    tryConnect: async ({ id }) => listening.has(id),
    timing,
  });
  onTestFinished(() => watch.stop());
  const looked = async (count: number) => {
    const before = looks.length;
    await eventually('it has looked', () => looks.length >= before + count);
  };
  return { table, listening, looks, looked, watch };
}

/** An edge whose store is away, and that knew one instance so long ago. */
async function startWith({ ageMs }: { ageMs: number }) {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-addresses-'));
  const snapshotPath = join(folder, 'routes.json');
  await writeSnapshot(snapshotPath, { version: 7, routes: [routeOf('env_1', ['a'])] });
  const written = new Date(Date.now() - ageMs);
  utimesSync(snapshotPath, written, written);
  const table = new RouteTable();
  const feed = createRouteFeed({
    store: openStore({ kind: 'url', url: 'postgresql://lilac@127.0.0.1:1/x' }, { max: 1, applicationName: 'none' }),
    table,
    sites: new SiteLibrary({ root: folder }),
    name: 'edge-1',
    snapshotPath,
    log: silentLog,
  });
  onTestFinished(async () => {
    await feed.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  await feed.start();
  return table;
}

describe('an edge that hears nothing of the store', () => {
  it('uses instances that go on listening, and gives up an address at which nobody does', async () => {
    const { table, listening, looked } = openWatch();
    await looked(3);
    expect([idsIn(table, 'env_1'), idsIn(table, 'env_2')]).toEqual([['a', 'b'], ['c']]);
    listening.delete('b');
    await eventually('it is given up', () => idsIn(table, 'env_1').length === 1);
    // Whoever listens there by now is another's.
    listening.add('b');
    await looked(3);
    expect([idsIn(table, 'env_1'), idsIn(table, 'env_2')]).toEqual([['a'], ['c']]);
    expect(table.ofEnvironment('env_1')?.version).toBe(0);
  });

  it('keeps one that is silent for a moment only', async () => {
    const { table, listening, looked } = openWatch({ ...SOON, givenUpAfterMs: 600_000 });
    listening.delete('a');
    await looked(3);
    listening.add('a');
    await looked(1);
    expect(idsIn(table, 'env_1')).toEqual(['a', 'b']);
  });

  it('looks at nobody while it hears of it', async () => {
    const { looks, watch } = openWatch({ ...SOON, unheardMs: 600_000 });
    watch.noteHeard();
    // As often as another would have.
    await openWatch().looked(3);
    expect(looks).toEqual([]);
  });
});

describe('an edge that starts without the store', () => {
  it('uses the instances that it knew a moment ago', async () => {
    expect(idsIn(await startWith({ ageMs: 10_000 }), 'env_1')).toEqual(['a']);
  });

  it('knows the names, and uses no instance, where what it knew is old', async () => {
    const table = await startWith({ ageMs: 3_600_000 });
    expect(table.find('env-1')?.target).toMatchObject({ kind: 'instances', instances: [] });
  });
});

import { describe, expect, it } from 'vitest';
import type { Store } from '../db/pool.ts';
import { artifactOf } from '../routing/route.ts';
import { publishRoute, readRoutesAfter, reportEdge } from '../routing/route-store.ts';
import { createTestStore } from '../testing/test-store.ts';
import { openBackupBench } from './testing/backup-bench.ts';
import { openKeyring } from '../secrets/key-file.ts';

const publish = (store: Store, environmentId: string, artifactId: string | null) =>
  store.db.transaction().execute((tx) =>
    publishRoute(tx, {
      environmentId,
      subdomain: artifactId && environmentId,
      target: artifactId === null ? null : { kind: 'static', artifactId, deploymentId: 'dep_1', revision: 1 },
    }),
  );

/** What an edge that has reached a version comes to know. */
async function news(store: Store, version: number) {
  const routes = await readRoutesAfter(store.db, version);
  return Object.fromEntries(routes.map((route) => [route.environmentId, artifactOf(route.target)]));
}

describe('an edge that keeps running while an older backup is restored', () => {
  it('hears of every route, as it was, and that newer ones are gone', async () => {
    using bench = openBackupBench();
    await using store = await createTestStore();
    openKeyring(bench.keysHere);
    await publish(store, 'one', 'old');
    await publish(store, 'two', 'old');
    await bench.write(store);
    await publish(store, 'one', 'new');
    await publish(store, 'three', 'new');
    const reached = await publish(store, 'three', 'newest');
    await reportEdge(store.db, 'edge-1', reached);
    await bench.restore(store, { replace: true });
    expect(await news(store, reached)).toEqual({ one: 'old', two: 'old', three: null });
    const routes = await readRoutesAfter(store.db, 0);
    expect(routes.map(({ environmentId }) => environmentId)).toEqual(['one', 'two', 'three']);
    const next = await publish(store, 'one', 'next');
    expect(next).toBeGreaterThan(routes.at(-1)!.version);
    expect(await news(store, routes.at(-1)!.version)).toEqual({ one: 'next' });
  });

  it('does so even when the store in which it saw the newest is lost', async () => {
    using bench = openBackupBench();
    await using store = await createTestStore();
    await using fresh = await createTestStore();
    openKeyring(bench.keysHere);
    await publish(store, 'one', 'old');
    await bench.write(store);
    let reached = 0;
    for (let round = 0; round < 50; round++) reached = await publish(store, 'one', `new ${round}`);
    await bench.restore(fresh);
    expect(await news(fresh, reached)).toEqual({ one: 'old' });
  });
});

describe('a sequence that belongs to no column', () => {
  it('goes on where it was', async () => {
    using bench = openBackupBench();
    await using store = await createTestStore();
    await using other = await createTestStore({ migrated: false });
    openKeyring(bench.keysHere);
    await store.pool.query(`select setval('route_versions', 8000000000000000)`);
    await bench.write(store);
    await bench.restore(other);
    const { rows } = await other.pool.query(`select nextval('route_versions')`);
    expect(rows).toEqual([{ nextval: '8000000000000001' }]);
  });
});

describe('edges that only said how far they are', () => {
  it('do not make a store one that is in use', async () => {
    using bench = openBackupBench();
    await using store = await bench.filledStore();
    await using fresh = await createTestStore();
    await bench.write(store);
    await reportEdge(fresh.db, 'edge-1', 0);
    await expect(bench.restore(fresh)).resolves.toMatchObject({ ignored: [] });
  });
});

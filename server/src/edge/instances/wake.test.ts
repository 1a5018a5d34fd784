import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../../lib/log.ts';
import { DEMAND_CHANNEL, type Demand } from '../../routing/edge-load.ts';
import type { InstanceAddress } from '../../routing/route.ts';
import { publishRoute } from '../../routing/route-store.ts';
import { startTestEdge } from '../../testing/start-test-edge.ts';
import { createTestStore, type TestStore } from '../../testing/test-store.ts';
import { createRouteFeed } from '../routes/route-feed.ts';
import { instancesOf } from './testing/gate-rig.ts';
import { findFreePort, startInstance } from './testing/start-instance.ts';
import { host } from './testing/start-served-edge.ts';

async function startFedEdge(store: TestStore, name: string) {
  const edge = await startTestEdge(null, { areRoutesKnown: false });
  const { routes: table, sites, gates } = edge;
  const snapshotPath = join(edge.paths.edgeSockets, 'routes.json');
  const feed = createRouteFeed({ store, table, sites, gates, name, snapshotPath, log: silentLog });
  await feed.start();
  return { ...edge, [Symbol.asyncDispose]: () => feed.stop() };
}

const publish = (store: TestStore, instances: InstanceAddress[]) =>
  store.db.transaction().execute((tx) => {
    const target = { ...instancesOf([], { concurrency: 10 }), instances };
    return publishRoute(tx, { environmentId: 'env_1', subdomain: 'shop', target });
  });

/** Whoever starts instances: names one as soon as it is asked for, before it listens. */
async function startFleet(store: TestStore) {
  const demands: Demand[] = [];
  const client = store.newClient();
  await client.connect();
  onTestFinished(() => client.end().catch(() => {}));
  const wake = async () => {
    const port = await findFreePort();
    await publish(store, [{ id: `at-${port}`, host: '127.0.0.1', port }]);
    return startInstance(`at-${port}`, undefined, port);
  };
  let waking: ReturnType<typeof wake> | null = null;
  /** One after the other: what a late demand has woken must not be put to sleep again unseen. */
  let asleep: Promise<unknown> = Promise.resolve();
  client.on('notification', ({ payload = '' }) => {
    demands.push(JSON.parse(payload) as Demand);
    waking ??= asleep.then(wake);
  });
  await client.query(`listen ${DEMAND_CHANNEL}`);
  const sleep = async () => {
    const instance = await waking;
    asleep = publish(store, []);
    waking = null;
    await asleep;
    return instance!;
  };
  return { demands, sleep };
}

describe('an application that sleeps', () => {
  it('wakes by the first request at any edge, again and again, and no request fails', async () => {
    await using store = await createTestStore();
    await publish(store, []);
    const fleet = await startFleet(store);
    await using one = await startFedEdge(store, 'one');
    await using two = await startFedEdge(store, 'two');
    for (let round = 0; round < 10; round++) {
      const answers = Array.from({ length: 6 }, (_, at) => (at % 2 ? one : two).call({ host }));
      const statuses = (await Promise.all(answers)).map(({ status }) => status);
      expect(statuses).toEqual([200, 200, 200, 200, 200, 200]);
      const instance = await fleet.sleep();
      // Requests come while it goes to sleep, too.
      const late = one.call({ host });
      expect((await late).status).toBe(200);
      instance.stop();
    }
    expect(new Set(fleet.demands.map(({ edge }) => edge))).toEqual(new Set(['one', 'two']));
  });
});

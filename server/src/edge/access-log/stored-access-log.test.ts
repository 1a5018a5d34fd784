import { expect, it } from 'vitest';
import { systemClock } from '../../lib/clock.ts';
import { silentLog } from '../../lib/log.ts';
import { LineWriter } from '../../logs/line-writer.ts';
import { createLogWorld } from '../../logs/testing/log-world.ts';
import { publishRoute, type RouteChange } from '../../routing/route-store.ts';
import { eventually } from '../../testing/eventually.ts';
import { startTestEdge } from '../../testing/start-test-edge.ts';
import { createRouteFeed } from '../routes/route-feed.ts';
import { writeRelease } from '../testing/write-release.ts';

it('every request of an environment is in its log from when it is switched on until it is switched off', async () => {
  await using world = await createLogWorld();
  const { db, environmentId } = world;
  const caps = { linesPerSecond: 1000, bytesPerDay: 1_000_000 };
  const accessLog = new LineWriter({ db, clock: systemClock, log: silentLog, caps });
  const edge = await startTestEdge(null, { accessLog, areRoutesKnown: false });
  writeRelease(edge.paths.objects, { files: { '/index.html': 'home' } });
  const snapshotPath = `${edge.paths.objects}/routes.json`;
  const options = { store: world.store, table: edge.routes, sites: edge.sites, name: 'edge', snapshotPath };
  const feed = createRouteFeed({ ...options, log: silentLog });
  await feed.start();
  const publish = async (change: Omit<RouteChange, 'environmentId' | 'subdomain'>) => {
    const route = { environmentId, subdomain: 'shop', ...change };
    const version = await db.transaction().execute((tx) => publishRoute(tx, route));
    await eventually('the edge follows', () => edge.routes.find('shop')?.version === version);
  };
  const ask = (path: string) => edge.call({ path, host: 'shop.apps.test' });
  const target = { kind: 'static', artifactId: 'art_1', deploymentId: 'dep_1', revision: 1 } as const;
  await publish({ target });
  await ask('/before');
  await publish({ accessLog: true });
  for (let number = 0; number < 300; number++) await ask(`/${number}?secret=${number}`);
  await publish({ accessLog: false });
  await ask('/after');
  await accessLog.close();
  await feed.stop();
  const messages = (await world.readAll()).map(({ message }) => message);
  expect(messages.map((message) => message.split(' ').slice(0, 3).join(' '))).toEqual(
    Array.from({ length: 300 }, (_, number) => `GET /${number} 404`),
  );
});

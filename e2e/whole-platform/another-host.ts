import { expect } from 'vitest';
import { serversOf } from '../database-servers.ts';
import { until } from '../platform.ts';
import { scale, type Scene } from './scene.ts';
import { instancesSeen } from './serve.ts';
import type { SwarmWorld } from './swarm-world.ts';
import { withLoad } from './with-load.ts';

/** A step where there is a swarm: each database is a service on the machine that has its files. */
export async function areServices({ world, databaseIds }: Scene<SwarmWorld>): Promise<void> {
  const services = await world.listDatabaseServices();
  expect(services).toHaveLength(Object.keys(databaseIds).length);
  expect(services.toSorted()).toEqual(serversOf(world.platform.home).toSorted());
}

/** A step where there are several hosts: the one whose worker keeps the instances is gone, and another keeps them. */
export async function isKeptByAnotherHost(scene: Scene<SwarmWorld>): Promise<void> {
  const { world, server } = scene;
  const joined = await world.joinWorker();
  const keeper = async () => {
    const { stdout } = await joined.lilac('admin', 'leaders', '--json');
    const { leaders } = JSON.parse(stdout) as { leaders: { name: string; host: string; isLed: boolean }[] };
    return leaders.find(({ name }) => name === 'instances')!;
  };
  const { host: before } = await keeper();
  const instances = await instancesSeen(scene);
  await withLoad(scene, 'the host of the worker killed', async (tally) => {
    await world.killWorkerHost();
    const killedAt = performance.now();
    await until('another host keeps the instances', async () => {
      const { host, isLed } = await keeper();
      return isLed && host !== before;
    });
    console.log(`another host keeps the instances after ${Math.round(performance.now() - killedAt)} ms`);
    expect(await instancesSeen(scene)).toEqual(instances);
    await scale(scene, server, [2, 2]);
    await until('two answer', async () => (await instancesSeen(scene)).size === 2);
    expect([...(await instancesSeen(scene))]).toEqual(expect.arrayContaining([...instances]));
    expect(tally.closed).toBe(0);
  });
  await world.startWorkerHost();
}

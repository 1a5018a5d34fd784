import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabaseWorld } from './database-world.ts';
import { lostWrites, startWrites } from './database-load.ts';
import { leftOf, mainProcesses, primaryOf, serversOf } from './database-servers.ts';
import { ask, databaseTypes, type Databases } from './databases.ts';
import type { Deployer } from './deploying.ts';
import { until, type Platform } from './platform.ts';

/** Databases with a second server: the first one is killed while clients write. */
let platform: Platform;
let deployer: Deployer;
let databases: Databases;

beforeAll(async () => {
  ({ platform, deployer, databases } = await openDatabaseWorld());
});
afterAll(() => platform?.[Symbol.asyncDispose]());

const ROUNDS = 3;

describe.each(databaseTypes)('a %s database with high availability', (databaseType) => {
  it('loses no acknowledged write when its primary is killed, and has a standby again', async () => {
    const id = await databases.create('Available', { databaseType, haEnabled: true });
    await databases.settled(id);
    const url = await databases.url(id);
    expect(serversOf(platform.home)).toHaveLength(2);
    for (let round = 0; round < ROUNDS; round++) {
      const load = await startWrites(url);
      await until('clients write', () => load.acknowledged.length > 200);
      const primary = await primaryOf(platform.home, url);
      process.kill(primary.pid, 'SIGKILL');
      const killedAt = performance.now();
      await until('writes are acknowledged again', () => (load.acknowledged.at(-1)?.at ?? 0) > killedAt + 50);
      await load.stop();
      // What was acknowledged last may have been so before the kill, and only heard of after it.
      await until('it answers', () =>
        ask(url, 'select 1').then(
          () => true,
          () => false,
        ),
      );
      expect(await lostWrites(url, load)).toEqual([]);
      const pause = load.acknowledged.find(({ at }) => at > killedAt + 20)!.at - killedAt;
      console.log(`${databaseType}: ${load.acknowledged.length} acknowledged, 0 lost, ${pause.toFixed(0)} ms without`);
      await until('it is healthy with two servers', async () => {
        const { status } = await databases.get(id);
        return (
          status === 'healthy' && mainProcesses(platform.home).length === 2 && serversOf(platform.home).length === 2
        );
      });
      expect((await primaryOf(platform.home, url)).pid).not.toBe(primary.pid);
      await ask(url, 'drop table acknowledged');
    }
    await databases.remove(id);
    await until('nothing is left', () => leftOf(platform.home).length === 0);
  });

  it('is switched on and off without losing a write', async () => {
    const id = await databases.create('Switched', { databaseType });
    await databases.settled(id);
    const url = await databases.url(id);
    const load = await startWrites(url, 2);
    const body = { targetOrganisationId: deployer.targetOrganisationId, databaseId: id };
    for (const haEnabled of [true, false]) {
      await deployer.client.call('databases.update', { body: { ...body, haEnabled } });
      await databases.settled(id);
      expect(serversOf(platform.home)).toHaveLength(haEnabled ? 2 : 1);
    }
    await load.stop();
    expect(await lostWrites(url, load)).toEqual([]);
    await databases.remove(id);
  });
});

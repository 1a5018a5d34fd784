/** How long are writes refused after the primary of a database was killed, and is anything lost? Of both engines. */
import { openDatabaseWorld } from '../e2e/database-world.ts';
import { lostWrites, startWrites } from '../e2e/database-load.ts';
import { mainProcesses, primaryOf, serversOf } from '../e2e/database-servers.ts';
import { ask, databaseTypes } from '../e2e/databases.ts';
import { until } from '../e2e/platform.ts';
import { median } from './measuring/median.ts';
import { report } from './measuring/report.ts';
import { roundsOf } from './measuring/rounds-of.ts';

const TARGET_MS = 1000;
const ROUNDS = roundsOf(10);

await using world = await openDatabaseWorld({ LILAC_LOG_LEVEL: 'warn' });
const { platform, databases } = world;
for (const databaseType of databaseTypes) {
  const id = await databases.create('Available', { databaseType, haEnabled: true });
  await databases.settled(id);
  const url = await databases.url(id);
  const pauses: number[] = [];
  let [acknowledged, lost] = [0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    const load = await startWrites(url);
    await until('clients write', () => load.acknowledged.length > 500);
    const { pid } = await primaryOf(platform.home, url);
    const killedAt = performance.now();
    process.kill(pid, 'SIGKILL');
    // What was on its way when it died may still arrive, and sessions of a killed server end a moment later.
    await until('writes are acknowledged again', () => (load.acknowledged.at(-1)?.at ?? 0) > killedAt + 500);
    await load.stop();
    pauses.push(longestPause(load.acknowledged, killedAt));
    acknowledged += load.acknowledged.length;
    lost += (await lostWrites(url, load)).length;
    await until('there is a standby again', async () => {
      const { status } = await databases.get(id);
      return status === 'healthy' && mainProcesses(platform.home).length === 2 && serversOf(platform.home).length === 2;
    });
    await ask(url, 'drop table acknowledged');
  }
  await databases.remove(id);
  console.log(`${databaseType}: ${pauses.map((each) => each.toFixed(0)).join(' ')} ms; ${acknowledged} writes`);
  const name = `${databaseType}, kill -9 to the next acknowledged write`;
  report({ name, unit: 'ms', ours: median(pauses), bar: { of: 'ours', atMost: TARGET_MS } });
  report({ name: `${databaseType}, acknowledged writes lost`, unit: '', ours: lost, bar: { of: 'ours', atMost: 0 } });
}

/** The longest time without an acknowledged write, from the kill on. */
function longestPause(acknowledged: readonly { at: number }[], killedAt: number): number {
  const times = [killedAt, ...acknowledged.map(({ at }) => at).filter((at) => at > killedAt)].toSorted((a, b) => a - b);
  return Math.max(...times.slice(1).map((at, index) => at - times[index]!));
}

/** How long are writes refused after the primary of a database was killed, and is anything lost? Of both engines. */
import { lostWrites, startWrites } from '../e2e/database-load.ts';
import { mainProcesses, primaryOf, serversOf } from '../e2e/database-servers.ts';
import { ask, databaseTypes } from '../e2e/databases.ts';
import { until } from '../e2e/platform.ts';
import { openPlatform } from './databases/platform.ts';
import { median } from './deploy/median.ts';

const TARGET_MS = 1000;
const ROUNDS = 10;

await using world = await openPlatform();
const { platform, databases } = world;
let isShort = false;
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
    // What was on its way when it died may still arrive.
    const isLater = ({ at }: { at: number }) => at > killedAt + 20;
    await until('writes are acknowledged again', () => load.acknowledged.some(isLater));
    pauses.push(load.acknowledged.find(isLater)!.at - killedAt);
    await until('more of them', () => load.acknowledged.filter(isLater).length > 200);
    await load.stop();
    acknowledged += load.acknowledged.length;
    lost += (await lostWrites(url, load)).length;
    await until('there is a standby again', async () => {
      const { status } = await databases.get(id);
      return status === 'healthy' && mainProcesses(platform.home).length === 2 && serversOf(platform.home).length === 2;
    });
    await ask(url, 'drop table acknowledged');
  }
  await databases.remove(id);
  const pause = median(pauses);
  isShort ||= pause > TARGET_MS || lost > 0;
  console.log(
    `${databaseType.padEnd(10)}  kill -9 to the next acknowledged write p50 ${pause.toFixed(0)} ms ` +
      `(${pauses.map((each) => each.toFixed(0)).join(' ')}; target: at most ${TARGET_MS} ms); ${lost} of ${acknowledged} lost`,
  );
}
process.exitCode = isShort ? 1 : 0;

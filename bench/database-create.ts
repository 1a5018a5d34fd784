/**
 * How long from asking for a database to the answer of a client's first query, and how much memory does the server
 * take while nobody asks it anything? Of both engines in turn, on the smallest tier.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabaseWorld } from '../e2e/database-world.ts';
import { connectTo, databaseTypes } from '../e2e/databases.ts';
import { processesOfServer, serversOf } from '../e2e/database-servers.ts';
import { median, quantile } from './measuring/median.ts';
import { memoryOfAll } from './measuring/memory.ts';
import { report } from './measuring/report.ts';
import { roundsOf } from './measuring/rounds-of.ts';

const TARGET_MS = 1000;
const TARGET_MB = { postgresql: 20, mysql: 60 };
const ROUNDS = roundsOf(10);
const WARM_UP_ROUNDS = 1;
/** What a server does after its start is over by then. */
const IDLE_MS = 5000;

await using world = await openDatabaseWorld({ LILAC_LOG_LEVEL: 'warn' });
const { platform, databases } = world;
const took = { postgresql: [] as number[], mysql: [] as number[] };
const idle = { postgresql: [] as number[], mysql: [] as number[] };

for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
  for (const databaseType of databaseTypes) {
    const startedAt = performance.now();
    const id = await databases.create('Bench', { databaseType });
    await firstQuery(await databases.url(id));
    const ms = performance.now() - startedAt;
    await databases.settled(id);
    if (round >= 0) took[databaseType].push(ms);
    if (round >= ROUNDS - 3) {
      await delay(IDLE_MS);
      idle[databaseType].push(memoryOfAll(processesOfServer(platform.home, serversOf(platform.home)[0]!)));
    }
    await databases.remove(id);
  }
}

for (const type of databaseTypes) {
  const [ms, mb] = [median(took[type]), median(idle[type])];
  console.log(`${type}: create to first query p95 ${quantile(took[type], 0.95).toFixed(0)} ms over ${ROUNDS}`);
  report({ name: `${type}, create to first query`, unit: 'ms', ours: ms, bar: { of: 'ours', atMost: TARGET_MS } });
  report({ name: `${type}, memory at rest`, unit: 'MB', ours: mb, bar: { of: 'ours', atMost: TARGET_MB[type] } });
}

/** As a client would that waits for it: tries again until it is let in. */
async function firstQuery(url: string): Promise<void> {
  for (let tries = 0; tries < 3000; tries++) {
    try {
      const connection = await connectTo(url);
      await connection.query('select 1');
      await connection.close();
      return;
    } catch {
      await delay(10);
    }
  }
  throw new Error('It never answered.');
}

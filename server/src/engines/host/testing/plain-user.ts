import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../../../testing/eventually.ts';
import { openHostBench } from './host-bench.ts';

/** Everything that a host does, by a user that is not root; prints what came of it as JSON. */
const [home = ''] = process.argv.slice(2);
await using bench = await openHostBench({ home, keepHome: true });
const place = await bench.take();
await bench.launch(place, 'sleep 1000 & echo up > up; while [ ! -e go ]; do sleep 0.02; done');
await eventually('it is up', () => existsSync(join(place.home, 'up')));
const isRunning = bench.host.isRunning('dbs_1');
writeFileSync(join(place.home, 'go'), '');
await eventually('its end is told', () => bench.exits.length > 0);
await bench.launch(place, `trap '' TERM; sleep 1000 & while :; do sleep 0.1; done`);
const usage = await bench.host.usage(place);
const [space] = [
  await bench.host.space(place),
  await bench.host.grow('dbs_1', 2),
  await bench.host.giveUpReserve(place),
];
const grown = await bench.host.space(place);
await bench.host.end('dbs_1', [{ signal: 'SIGTERM', waitMs: 50 }]);
const isRunningAfter = bench.host.isRunning('dbs_1');
const said = (await bench.sh(place, 'cat up; grep NoNewPrivs /proc/self/status')).trim();
const ended = { uid: place.uid, isRunning, isRunningAfter, said, space, grown, memory: usage.memoryBytes > 0 };
await bench.host.remove('dbs_1');
const left = readdirSync(join(home, 'databases'));
console.log(JSON.stringify({ ...ended, exits: bench.exits, left, lacking: await bench.host.lacking() }));

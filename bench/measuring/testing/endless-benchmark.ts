/**
 * Starts what benchmarks start, says so, and measures for ever: a store in a folder of its own, and what looks like a
 * platform in its home, with a process that does not end with it.
 */
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { start } from '../../../server/src/lib/exec.ts';
import { identify } from '../../../server/src/lib/process-identity.ts';
import { startEmbeddedStore } from '../../../server/src/store/embedded-store.ts';
import { scratchFolder } from '../interruption.ts';

const folder = scratchFolder('endless');
const options = { directory: join(folder, 'store'), logFile: join(folder, 'store.log'), password: 'only-for-the-test' };
const store = await startEmbeddedStore(options);
const home = mkdtempSync(join(tmpdir(), 'lilac-bench-home-'));
const platform = start(['sh', '-c', 'nohup sleep 600 & echo $!; wait'], {
  env: { PATH: process.env['PATH'], LILAC_HOME: home },
  stdio: ['ignore', 'pipe', 'ignore'],
  detached: true,
});
const [left] = (await once(platform.stdout!, 'data')) as [Buffer];
const processes = [store.process, identify(platform.pid!), identify(Number(String(left)))];
process.send!({ folders: [folder, home], processes });
for (;;) await delay(60_000);

/**
 * A worker process for bench/jobs: tells when each job started. Beside its worker it listens on a plain
 * channel and tells when each notification came, which is the least that a wake-up through the store can take.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { openStore } from '../../server/src/db/pool.ts';
import { handleJob } from '../../server/src/jobs/job.ts';
import { createWorker } from '../../server/src/jobs/worker.ts';
import { silentLog } from '../../server/src/lib/log.ts';
import { BARE_CHANNEL, measuredJob, now, type Seen } from './measured-job.ts';

const [directory, password, name] = process.argv.slice(2) as [string, string, string];
const store = openStore({ kind: 'socket', directory, password }, { max: 10, applicationName: `bench ${name}` });
const tell = (seen: Seen) => process.send?.(seen);

const handler = handleJob(measuredJob, async ({ mark, holdMs }, { signal }) => {
  tell({ mark, at: now() });
  if (holdMs > 0) await delay(holdMs, undefined, { signal });
});
const worker = createWorker({ store, log: silentLog, name, handlers: [handler], concurrency: 8 });
const listener = store.newClient();
await listener.connect();
listener.on('notification', ({ payload }) => tell({ mark: payload!, at: now() }));
await listener.query(`listen ${BARE_CHANNEL}`);
await worker.start();
process.on('disconnect', () => process.exit());
tell({ mark: 'ready', at: now() });

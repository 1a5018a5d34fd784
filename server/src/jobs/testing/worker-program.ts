import { parseArgs } from 'node:util';
import { openStore } from '../../db/pool.ts';
import { createLog } from '../../lib/log.ts';
import { createWorker } from '../worker.ts';
import { recordedJobHandler } from './recorded-job.ts';

/** A worker process for tests to kill: `node worker-program.ts --url … --name … [--timing {…}]`. */
const { values } = parseArgs({
  options: { url: { type: 'string' }, name: { type: 'string' }, timing: { type: 'string', default: '{}' } },
});
const store = openStore({ kind: 'url', url: values.url! }, { max: 5, applicationName: values.name! });
const worker = createWorker({
  store,
  log: createLog({ level: 'error', role: values.name! }),
  name: values.name!,
  handlers: [recordedJobHandler(store.pool)],
  concurrency: 4,
  timing: JSON.parse(values.timing) as object,
});
await worker.start();
process.stdout.write('ready\n');

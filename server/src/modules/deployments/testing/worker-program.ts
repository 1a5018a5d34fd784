import { parseArgs } from 'node:util';
import { readConfig } from '../../../config.ts';
import { openStore } from '../../../db/pool.ts';
import { createWorker } from '../../../jobs/worker.ts';
import { silentLog } from '../../../lib/log.ts';
import { deploymentJobs } from '../jobs.ts';
import { noInstances } from './no-instances.ts';
import { createStandInBuilder, endless } from './stand-in-builder.ts';

/** A worker process for tests to kill: its builds never end when `--endless` is given. */
const { values } = parseArgs({
  options: { url: { type: 'string' }, name: { type: 'string' }, endless: { type: 'boolean', default: false } },
});
const store = openStore({ kind: 'url', url: values.url! }, { max: 5, applicationName: values.name! });
const builder = createStandInBuilder(store);
if (values.endless) builder.next = endless;
const nothing = async (): Promise<void> => {};
const handlers = deploymentJobs({
  store,
  builder,
  log: silentLog,
  fleet: noInstances,
  config: readConfig({}),
  keyring: { seal: (text) => text, open: (text) => text },
  repositoryOf: async () => ({ provider: 'provider1', owner: 'a', name: 'b', url: '', credential: null }),
  gitSources: { sweep: nothing },
  objects: { remove: nothing },
  artifacts: { compress: nothing, remove: nothing, sweep: nothing },
});
await createWorker({ store, log: silentLog, name: values.name!, handlers }).start();
process.stdout.write('ready\n');

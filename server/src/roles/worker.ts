import { hostname } from 'node:os';
import { purgeJobsHandler } from '../jobs/purge-jobs.ts';
import { createWorker } from '../jobs/worker.ts';
import { systemClock } from '../lib/clock.ts';
import { accountJobs } from '../modules/accounts/jobs.ts';
import { openRoleStore } from './open-role-store.ts';
import type { RoleContext, StopRole } from './run-role.ts';

const CONNECTIONS = 6;

/** The worker runs durable jobs. */
export async function startWorker(context: RoleContext): Promise<StopRole> {
  const { config, log } = context;
  const store = await openRoleStore(context, 'worker', CONNECTIONS);
  const handlers = [...accountJobs({ store, clock: systemClock }), purgeJobsHandler(store)];
  // One worker per installation: the next one takes up under the same name what this one leaves behind.
  const worker = createWorker({ store, log, name: `${hostname()} ${config.home}`, handlers });
  await worker.start();
  return async () => {
    await worker.stop();
    await store.close();
  };
}

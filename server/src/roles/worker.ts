import { hostname } from 'node:os';
import { pathsOf } from '../config.ts';
import { createWorker } from '../jobs/worker.ts';
import { systemClock } from '../lib/clock.ts';
import { keepVitals } from '../modules/platform/keep-vitals.ts';
import { openKeyring } from '../secrets/key-file.ts';
import { buildWorker } from '../wire.ts';
import { takeOutputs } from './lifeline.ts';
import { openRoleStore } from './open-role-store.ts';
import type { RoleContext, StopRole } from './run-role.ts';

const CONNECTIONS = 8;

/** The worker runs durable jobs, and keeps the instances of applications. */
export async function startWorker(context: RoleContext): Promise<StopRole> {
  const { config, log, place } = context;
  const store = await openRoleStore(context, 'worker', CONNECTIONS);
  const keyring = openKeyring(pathsOf(config).keyring);
  const parts = await buildWorker({ config, store, keyring, clock: systemClock, log });
  await parts.sweep();
  // Until now the supervisor has kept them small; two would get in each other's way.
  await takeOutputs(context.lifeline);
  parts.boundOutputs();
  // One worker per installation: the next one takes up under the same name what this one leaves behind.
  const { handlers, observer } = parts;
  const worker = createWorker({ store, log, name: `${hostname()} ${config.home}`, handlers, observer });
  await worker.start();
  // What instances wrote meanwhile need not wait until all of them have been looked at.
  parts.collector.start();
  await parts.noteIsolation();
  await parts.databases.start();
  await parts.fleet.start();
  const stopVitals = keepVitals({ db: store.db, log, config, role: 'worker', place });
  return async () => {
    stopVitals();
    await worker.stop();
    await parts.fleet.stop();
    await parts.databases.stop();
    if (context.lifeline.isFinal()) await parts.endInstances();
    await parts.collector.stop();
    await parts.close();
    await store.close();
  };
}

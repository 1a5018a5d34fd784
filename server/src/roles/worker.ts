import { createWorker } from '../jobs/worker.ts';
import { systemClock } from '../lib/clock.ts';
import { keepVitals } from '../modules/platform/keep-vitals.ts';
import { machineNameOf } from '../routing/edge-names.ts';
import { tellMachine } from '../routing/tell-machine.ts';
import { hostIdOf } from '../store/host-id.ts';
import { buildWorker, type WorkerParts } from '../wire/worker.ts';
import { createLeadDuties, type LeadDuties } from './lead-duties.ts';
import { takeOutputs } from './lifeline.ts';
import { openRoleKeyring } from './open-role-keyring.ts';
import { openRoleStore } from './open-role-store.ts';
import type { RoleContext, StopRole } from './run-role.ts';

const CONNECTIONS = 8;
/**
 * Its work comes in bursts, nobody waits for its first statement, and each idle connection is memory of the store's.
 */
const IDLE_CONNECTION_MS = 2000;

/** The worker runs durable jobs, and, where it leads, keeps the instances of applications and the databases. */
export async function startWorker(context: RoleContext): Promise<StopRole> {
  const { config, log, place } = context;
  const store = await openRoleStore(context, {
    applicationName: 'worker',
    max: CONNECTIONS,
    idleMs: IDLE_CONNECTION_MS,
  });
  const keyring = await openRoleKeyring(context, store);
  // One worker per host: the next one takes up under the same name what this one leaves behind.
  const host = hostIdOf(config);
  const parts: WorkerParts = await buildWorker({
    config,
    store,
    keyring,
    clock: systemClock,
    log,
    host,
    onLead: (name) => duties.take(name),
    onLeadLost: endAtOnce,
  });
  const duties: LeadDuties = createLeadDuties(parts, (error) => {
    if (context.lifeline.signal.aborted) return;
    log.fatal({ err: error }, 'The process ends: it cannot do what it leads');
    endAtOnce();
  });
  // Whoever leads instances reads it: this worker, soon.
  const stopTelling = tellMachine({ store, name: machineNameOf(config, 'worker'), log });
  await parts.sweep();
  // Until now the supervisor has kept them small; two would get in each other's way.
  await takeOutputs(context.lifeline);
  parts.boundOutputs();
  const { handlers, observer, leaderships } = parts;
  const worker = createWorker({ store, log, name: host, handlers, observer, leaderships });
  await worker.start();
  await duties.open();
  const leftBehind = parts.watchLeftBehind();
  const stopVitals = keepVitals({ db: store.db, log, config, role: 'worker', place });
  return async () => {
    stopVitals();
    stopTelling();
    leftBehind.stop();
    await worker.stop({ beforeLeaving: () => duties.stop({ isFinal: context.lifeline.isFinal() }) });
    await parts.close();
    await store.close();
  };
}

/** Nothing is finished: another may be at it already. What this process leaves behind is found, as after a crash. */
function endAtOnce(): never {
  process.exit(1);
}

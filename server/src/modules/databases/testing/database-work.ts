import type { Lead } from '../../../engines/address/stable-address.ts';
import { createWorker, type Worker } from '../../../jobs/worker.ts';
import { silentLog } from '../../../lib/log.ts';
import type { TestApi } from '../../../testing/harness.ts';
import type { DatabaseJobsDeps } from '../database-jobs-deps.ts';
import { createDatabaseLocks } from '../database-locks.ts';
import type { Engines } from '../databases-deps.ts';
import { databaseJobs } from '../jobs.ts';
import { addStandby } from '../standby/add-standby.ts';
import { removeStandby } from '../standby/remove-standby.ts';

/** What the worker does for databases, beside an API of tests. */
export interface DatabaseWork extends AsyncDisposable {
  deps: DatabaseJobsDeps;
  /** What was asked of the module's other parts. */
  asked: { pointed: [number, Lead | null][]; restored: string[]; removedBackups: string[]; renewed: string[] };
  work(): Promise<Worker>;
}

type Backend = Pick<TestApi, 'store' | 'config' | 'keyring' | 'clock'>;

export function databaseWorkOf({ store, config, keyring, clock }: Backend, engines: Engines): DatabaseWork {
  const workers: Worker[] = [];
  const asked: DatabaseWork['asked'] = { pointed: [], restored: [], removedBackups: [], renewed: [] };
  const shared = { store, config, keyring, clock, log: silentLog, engines, locks: createDatabaseLocks() };
  const deps: DatabaseJobsDeps = {
    ...shared,
    addresses: { point: async (port, lead) => void asked.pointed.push([port, lead]) },
    standbys: {
      add: (id, signal) => addStandby(shared, id, signal),
      remove: (id) => removeStandby(shared, id),
    },
    transfers: {
      restore: async (id) => void asked.restored.push(id),
      removeBackups: async (id) => void asked.removedBackups.push(id),
    },
    links: { renew: async (id) => void asked.renewed.push(id) },
  };
  return {
    deps,
    asked,
    async work() {
      // Each has locks of its own: what one that is gone held is not held any more.
      const handlers = databaseJobs({ ...deps, locks: createDatabaseLocks() });
      const worker = createWorker({ store, log: silentLog, name: 'one', handlers });
      workers.push(worker);
      await worker.start();
      return worker;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(workers.map((worker) => worker.stop({ finishMs: 0 })));
    },
  };
}

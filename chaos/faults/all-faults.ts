import type { FaultName } from '../plan.ts';
import { fillDatabase, killDatabase } from './databases.ts';
import { holdApi, holdEdge, holdWorker } from './hold-roles.ts';
import { cutInstance, fillInstance, killInstance } from './instances.ts';
import { killApi, killFirstEdge, killSecondEdge, killSupervisor, killWorker } from './kill-roles.ts';
import { cutStore, holdStore, killStore, stopStore } from './store.ts';
import type { Strike } from './strike.ts';

export const allFaults: Record<FaultName, Strike> = {
  'kill-api': killApi,
  'kill-worker': killWorker,
  'kill-first-edge': killFirstEdge,
  'kill-second-edge': killSecondEdge,
  'kill-supervisor': killSupervisor,
  'kill-store': killStore,
  'kill-instance': killInstance,
  'kill-database': killDatabase,
  'stop-store': stopStore,
  'hold-api': holdApi,
  'hold-worker': holdWorker,
  'hold-edge': holdEdge,
  'hold-store': holdStore,
  'cut-store': cutStore,
  'cut-instance': cutInstance,
  'fill-instance': fillInstance,
  'fill-database': fillDatabase,
};

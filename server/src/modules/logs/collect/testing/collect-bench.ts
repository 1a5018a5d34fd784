import { readConfig } from '../../../../config.ts';
import type { Clock } from '../../../../lib/clock.ts';
import { systemClock } from '../../../../lib/clock.ts';
import { silentLog } from '../../../../lib/log.ts';
import type { NumberedEntry } from '../../../../logs/log-entry.ts';
import { createLogWorld, type LogWorld } from '../../../../logs/testing/log-world.ts';
import { eventually } from '../../../../testing/eventually.ts';
import { createCollector, type Collector, type CollectorDeps } from '../collector.ts';
import { openOutputHost, type OutputHost } from './output-host.ts';

/** A store with environments, a host with output, and a collector between them. */
export interface CollectBench extends LogWorld {
  host: OutputHost;
  collector: Collector;
  /** Waits until the log of the environment has so many lines, and gives them. */
  lines(count: number, environmentId?: string): Promise<NumberedEntry[]>;
  /** The next process. */
  restart(changes?: Partial<CollectorDeps>): Promise<void>;
}

export async function createCollectBench({
  environments = 1,
  settings = {},
  clock = systemClock,
}: { environments?: number; settings?: Record<string, string>; clock?: Clock } = {}): Promise<CollectBench> {
  const world = await createLogWorld({ environments });
  const host = openOutputHost();
  const config = readConfig(settings);
  const deps: CollectorDeps = { store: world.store, config, runtime: host.runtime, clock, log: silentLog };
  let collector = createCollector(deps);
  collector.start();
  const bench: CollectBench = {
    ...world,
    host,
    get collector() {
      return collector;
    },
    async lines(count, environmentId) {
      let found: NumberedEntry[] = [];
      await eventually(`there are ${count} lines`, async () => {
        found = await world.readAll(environmentId);
        return found.length >= count;
      });
      return found;
    },
    async restart(changes = {}) {
      await collector.stop();
      collector = createCollector({ ...deps, ...changes });
      collector.start();
    },
    async [Symbol.asyncDispose]() {
      await collector.stop();
      host[Symbol.dispose]();
      await world[Symbol.asyncDispose]();
    },
  };
  return bench;
}

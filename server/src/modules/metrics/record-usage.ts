import type { Store } from '../../db/pool.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { vitals } from '../../lib/vitals.ts';
import { MinuteBook } from '../../metrics/minute-book.ts';
import { createMinuteWriter } from '../../metrics/minute-writer.ts';
import { UsageMeter, type InstanceUse } from '../../metrics/usage-meter.ts';

export interface UsageRecorder {
  /** Notes the use of all instances that run now. */
  note(instances: readonly InstanceUse[]): void;
  /** Writes what is still to be written. */
  close(): Promise<void>;
}

/** Writes down what the instances of a worker use. It begins with the first look at them. */
export function createUsageRecorder(deps: { store: Pick<Store, 'db'>; clock: Clock; log: Log }): UsageRecorder {
  const book = new MinuteBook();
  const meter = new UsageMeter(book);
  const writer = createMinuteWriter({ ...deps, book });
  const running = vitals.gauge('lilac_instances_running', 'Instances of applications that run.');
  let isBegun = false;
  return {
    note(instances) {
      if (!isBegun) writer.start();
      isBegun = true;
      running.value = instances.length;
      meter.look(instances, deps.clock.now().getTime());
    },
    close: () => writer.stop(),
  };
}

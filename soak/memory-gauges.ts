import type { PlatformHandle } from '../chaos/platform-handle.ts';
import { openMemoryGauge, type MemoryGauge } from '../e2e/process-memory.ts';

/** Tell what the platform's own processes hold on to, once all that they no longer need has been collected. */
export interface MemoryGauges {
  /** Of these processes together. */
  keptMib(pids: readonly number[]): Promise<number>;
  close(): void;
}

export function openMemoryGauges(handle: PlatformHandle): MemoryGauges {
  const gauges = new Map<number, MemoryGauge>();
  const gaugeOf = async (pid: number) => {
    const gauge = gauges.get(pid) ?? (await openMemoryGauge(handle.current(), pid));
    gauges.set(pid, gauge);
    return gauge;
  };
  return {
    async keptMib(pids) {
      let sum = 0;
      // One at a time: a process stands still while it collects.
      for (const pid of pids) sum += await (await gaugeOf(pid)).keptMib();
      return sum;
    },
    close() {
      for (const gauge of gauges.values()) gauge.close();
    },
  };
}

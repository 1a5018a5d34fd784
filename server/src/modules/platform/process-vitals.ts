import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { Vitals } from '../../lib/vitals.ts';

/** Coarse, since every look wakes the process. */
const RESOLUTION_MS = 100;

/** What every process tells of itself: processor, memory, and how long what is due has to wait. */
export function addProcessVitals(vitals: Vitals): void {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  // The highest is of the time since it was last asked for.
  const longestDelay = () => {
    const longest = delaySeconds(delays.max);
    delays.reset();
    return longest;
  };
  const startedAt = performance.timeOrigin / 1000;
  vitals.read('counter', 'lilac_process_cpu_seconds_total', 'Processor time, user and system.', cpuSeconds);
  vitals.read('gauge', 'lilac_process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss());
  vitals.read('gauge', 'lilac_process_start_time_seconds', 'When it started, since 1970.', () => startedAt);
  vitals.read('counter', 'lilac_process_event_loop_active_seconds_total', 'How long its loop was busy.', activeSeconds);
  const help = 'How late it was at the most, in the last seconds, to do what was due.';
  vitals.read('gauge', 'lilac_process_event_loop_delay_max_seconds', help, longestDelay);
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function activeSeconds(): number {
  return performance.eventLoopUtilization().active / 1000;
}

/** The histogram has whole intervals, in nanoseconds; before the first it has no highest. */
function delaySeconds(nanoseconds: number): number {
  const seconds = nanoseconds / 1e9 - RESOLUTION_MS / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : 0;
}

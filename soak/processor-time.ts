import { storeSeconds } from '../bench/metrics/store-time.ts';
import { cpuMicrosOf } from '../bench/edge-static/cpu-time.ts';
import type { PlatformHandle } from '../chaos/platform-handle.ts';
import { identify } from '../server/src/lib/process-identity.ts';

/** The seconds that a process has used since it began, by who it is. */
type Used = ReadonlyMap<string, number>;

export interface ProcessorMeter {
  /** Since the last time, in seconds of processor time a minute. */
  take(): number;
}

/**
 * Other work on the machine slows a bare server down as much as ours, and so does ours: a role that burns ever more is
 * seen by this alone. Who was not there the last time began since then, so all that it used belongs to this time; what
 * one that has ended used after the last time is not known.
 */
export function openProcessorMeter(look: () => Used, now: () => number = () => performance.now()): ProcessorMeter {
  let last = { at: now(), used: look() };
  return {
    take() {
      const next = { at: now(), used: look() };
      const sum = [...next.used].reduce((seconds, [id, used]) => seconds + used - (last.used.get(id) ?? 0), 0);
      const minutes = (next.at - last.at) / 60_000;
      last = next;
      return sum / minutes;
    },
  };
}

/** Of a role's processes, without what they start: that is people's programs and their builds. */
export const usedByRole = (handle: Pick<PlatformHandle, 'pids'>, role: string): Used =>
  usedBy(handle.pids(role), (pid) => cpuMicrosOf([pid]) / 1e6);

/** Of the store with the processes of its connections, whose time stays its own when they have ended. */
export const usedByStore = (handle: Pick<PlatformHandle, 'pids'>): Used => usedBy(handle.pids('store'), storeSeconds);

/** Who ends while it is looked at is not there. */
function usedBy(pids: readonly number[], secondsOf: (pid: number) => number): Used {
  return new Map(
    pids.flatMap((pid): [string, number][] => {
      const identity = identify(pid);
      try {
        return identity ? [[`${pid} ${identity.startTime}`, secondsOf(pid)]] : [];
      } catch {
        return [];
      }
    }),
  );
}

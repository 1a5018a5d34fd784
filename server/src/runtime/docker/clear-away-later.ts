import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../lib/log.ts';
import type { FoundInstance } from '../held/find-instance.ts';
import type { InstanceCare } from '../held/instance-care.ts';

export interface ClearDeps {
  care: Pick<InstanceCare, 'clearAway'>;
  log: Pick<Log, 'error'>;
  againMs?: number;
}

const AGAIN_MS = 10_000;

/**
 * Takes away what was begun for an instance that could not be started. An engine that hung may do late what it was asked
 * for, and nobody lists that: it is tried until nothing is left, or by whoever comes after this process. Never rejects.
 */
export async function clearAwayLater(
  begun: Pick<FoundInstance, 'record' | 'folder'>,
  { care, log, againMs = AGAIN_MS }: ClearDeps,
): Promise<void> {
  for (let isTold = false; ; isTold = true) {
    try {
      return await care.clearAway(begun);
    } catch (error) {
      if (!isTold) log.error({ err: error, instance: begun.record.id }, 'what was begun stays for now');
    }
    await delay(againMs, undefined, { ref: false });
  }
}

import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { RoleName } from '../supervisor/role-messages.ts';
import { RestRule } from './rest-rule.ts';

const LOOK_EVERY_MS = 2000;
/**
 * The worker looks after all that runs, even while nothing happens. An edge that is busy for more has hundreds of
 * requests a second.
 */
const REST_SHARES: Record<RoleName, number> = { api: 0.05, worker: 0.05, edge: 0.01 };

/**
 * Gives memory back to the machine while this process rests. V8 collects when it needs room, and one that rests
 * needs none: what its last work left would stay, in every process, for hours.
 */
export function collectAtRest(role: RoleName, collect: NodeJS.GCFunction | undefined = globalThis.gc): void {
  // A role that was started without its flags, by hand, does without.
  if (!collect) return;
  const rule = new RestRule({ restShare: REST_SHARES[role] });
  let before = performance.eventLoopUtilization();
  const look = async () => {
    const atMs = performance.now();
    const busyShare = performance.eventLoopUtilization(before).utilization;
    before = performance.eventLoopUtilization();
    if (!rule.isDue({ atMs, busyShare, heldBytes: heldBytes() }) || isMachineBusy()) return;
    // Only the last resort gives back what was collected; anything less keeps it for later.
    await collect({ type: 'major', execution: 'async', flavor: 'last-resort' });
    rule.noteCollected({ atMs, tookMs: performance.now() - atMs });
  };
  // Where it cannot be done, the process goes on as it is.
  setInterval(() => void look().catch(() => {}), LOOK_EVERY_MS).unref();
}

function heldBytes(): number {
  const { total_heap_size: heap, external_memory: outside } = getHeapStatistics();
  return heap + outside;
}

/** More want to run at this moment than can. A process that stood still for 0.1 s would stand still for two seconds. */
function isMachineBusy(): boolean {
  const running = / (\d+)\/\d+ /.exec(readFileSync('/proc/loadavg', 'utf8'))?.[1];
  return Number(running ?? Infinity) > availableParallelism();
}

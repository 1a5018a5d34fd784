import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { RestRule, type RestRuleOptions } from './rest-rule.ts';

const LOOK_EVERY_MS = 2000;

/**
 * Gives memory back to the machine while this process rests. V8 collects when it needs room, and one that rests
 * needs none: what its last work left would stay, in every process, for hours.
 */
export function collectAtRest(options: RestRuleOptions): void {
  const collect = globalThis.gc ?? exposeCollector();
  const rule = new RestRule(options);
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

/** In a process that others start, without our flags. It costs half a megabyte. */
function exposeCollector(): NodeJS.GCFunction {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as NodeJS.GCFunction;
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

import { setTimeout as delay } from 'node:timers/promises';
import { isAlive } from '../../lib/process-identity.ts';
import { killCgroup } from '../../sandbox/cgroups/cgroup.ts';
import { processesOf, type HeldInstance } from './held-instance.ts';
import { letGo } from './hold-back.ts';
import { readNamespacePids } from './namespace-processes.ts';
import { signalProcess } from './signal-process.ts';

type Ending = Pick<HeldInstance, 'record' | 'folder' | 'process'>;

/** Once: what a program starts to clear up after itself is left to do so. False when there is no program yet. */
function askToEnd(held: Ending): boolean {
  const programs = processesOf(held).filter(isProgram);
  for (const pid of programs) signalProcess(pid, 'SIGTERM');
  return programs.length > 0;
}

/**
 * What waits for the sandbox outside it, and the first process inside, would take the program along before it
 * has done its last things.
 */
function isProgram(pid: number): boolean {
  const names = readNamespacePids(pid);
  return names.length > 1 && names.at(-1) !== '1';
}

const POLL_MS = 10;

/** Asks, and waits until it has ended, or nobody wants to wait any longer. */
export async function endGently(held: Ending, signal: AbortSignal): Promise<void> {
  for (let isAsked = false; isAlive(held.process) && !signal.aborted; await delay(POLL_MS)) {
    isAsked ||= askToEnd(held);
    // One that stands still hears nothing.
    letGo(held);
  }
}

const PATIENCE_MS = 5000;

/** Ends every process, at once: also a first one that has not entered its group yet, and would later. */
export async function endAll(held: Ending): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (let pids = remaining(held); pids.length > 0; pids = remaining(held)) {
    if (Date.now() > deadline) throw new Error(`processes ${pids.join(', ')} cannot be ended`);
    for (const pid of pids) signalProcess(pid, 'SIGKILL');
    await killCgroup(held.record.cgroup);
    if (remaining(held).length > 0) await delay(POLL_MS);
  }
}

const remaining = (held: Ending): number[] => [
  ...(isAlive(held.process) ? [held.process.pid] : []),
  ...processesOf(held),
];

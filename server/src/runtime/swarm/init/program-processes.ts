import { readdirSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Whatever runs as the program's user: it cannot become another. */
export function processesOf(uid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => isOf(name, uid))
    .map(Number);
}

function isOf(pid: string, uid: number): boolean {
  try {
    return stateOf(readFileSync(`/proc/${pid}/stat`, 'utf8')) !== 'Z' && statSync(`/proc/${pid}`).uid === uid;
  } catch {
    return false;
  }
}

/** It follows the name, which is the program's own to choose. */
export const stateOf = (stat: string): string | undefined => stat[stat.lastIndexOf(')') + 2];

/** Until none is left: one that is being ended may start another. */
export async function endAll(uid: number): Promise<void> {
  for (;;) {
    const pids = processesOf(uid);
    if (pids.length === 0) return;
    signalAll(pids, 'SIGKILL');
    await delay(10);
  }
}

export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended meanwhile.
    }
  }
}

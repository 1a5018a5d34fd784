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

/** So many times they are ended one by one. */
const ONE_BY_ONE = 3;

/**
 * Until none is left. Where some come faster than they are found, one call reaches all at once, so that none can begin
 * another meanwhile: everything in the container but its very first process and this one.
 */
export async function endAll(uid: number): Promise<void> {
  refuseElsewhere();
  for (let round = 1; ; round++) {
    const pids = processesOf(uid);
    if (pids.length === 0) return;
    signalAll(round > ONE_BY_ONE ? [-1] : pids, 'SIGKILL');
    await delay(10);
  }
}

/** Everything in the container but its very first process and this one. */
export function signalEverybody(signal: NodeJS.Signals): void {
  refuseElsewhere();
  signalAll([-1], signal);
}

function refuseElsewhere(): void {
  if (process.ppid !== 1) throw new Error('only the first process of a container may signal all others');
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

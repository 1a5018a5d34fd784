import { readFileSync } from 'node:fs';

/** What the kernel counts in, per second (USER_HZ, the same on every Linux). */
const TICKS_PER_SECOND = 100;

/** The processor time that these processes have used, in microseconds. */
export function cpuMicrosOf(pids: readonly number[]): number {
  const ticks = pids.map((pid) => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // After the name, which may hold anything, in parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(fields[11]) + Number(fields[12]);
  });
  return (ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND) * 1e6;
}

/** A process and all below it. */
export function processesBelow(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim();
  return [pid, ...(children === '' ? [] : children.split(' ').map(Number).flatMap(processesBelow))];
}

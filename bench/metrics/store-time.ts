import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

/** The processor time of a store so far, in seconds: of its processes, and of those that have ended. */
export function storeSeconds(pid: number): number {
  const own = statOf(pid);
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === pid);
  const ticks = [own[11], own[12], own[13], own[14], ...children.flatMap((child) => statOf(child).slice(11, 13))];
  return ticks.reduce<number>((sum, each) => sum + Number(each), 0) / TICKS_PER_SECOND;
}

const parentOf = (pid: string): number => Number(statOf(pid)[1]);

/** What follows the name, which may hold anything, in parentheses. Empty where it has ended meanwhile. */
function statOf(pid: string | number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

import { readdirSync, readFileSync } from 'node:fs';

/**
 * The process and all that came from it, however far down; who lost its parent in a namespace belongs to the first in
 * it.
 */
export function processTree(root: number): number[] {
  const children = Map.groupBy(listProcesses(), ({ parent }) => parent);
  const found = [root];
  for (const pid of found) for (const child of children.get(pid) ?? []) found.push(child.pid);
  return found;
}

function listProcesses(): { pid: number; parent: number }[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid)) return [];
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The program's name in brackets may hold anything; the state and the parent follow the last bracket.
      return { pid, parent: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ', 2)[1]) };
    } catch {
      return [];
    }
  });
}

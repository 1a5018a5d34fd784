import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** A process and everything that descends from it. What loses its parent in a sandbox is given to the sandbox's first. */
export function readProcessTree(root: number): number[] {
  const childrenOf = Map.groupBy(readParents(), ({ parent }) => parent);
  const found: number[] = [];
  for (const wave = [root]; wave.length > 0;) {
    const pid = wave.pop() as number;
    found.push(pid);
    wave.push(...(childrenOf.get(pid) ?? []).map((child) => child.pid));
  }
  return found;
}

/** What it is called in the pid namespaces from ours down to its own. */
export function readNamespacePids(pid: number): string[] {
  return /^NSpid:\s+(.*)$/m.exec(readIfThere(`/proc/${pid}/status`))?.[1]?.split(/\s+/) ?? [];
}

export function isInNamespace(pid: number, inode: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`) === `pid:[${inode}]`;
  } catch {
    return false;
  }
}

/** The fields of /proc/<pid>/stat from the state on; none when it is gone. */
export function readStat(pid: number): string[] {
  const stat = readIfThere(`/proc/${pid}/stat`);
  return stat === '' ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function readParents(): { pid: number; parent: number }[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map((name) => ({ pid: Number(name), parent: Number(readStat(Number(name))[1] ?? 0) }));
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

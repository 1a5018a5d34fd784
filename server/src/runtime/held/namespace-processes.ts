import { readlinkSync } from 'node:fs';
import { readIfThere } from '../../lib/read-if-there.ts';

/** What it is called in the pid namespaces from ours down to its own. */
export function readNamespacePids(pid: number): string[] {
  return /^NSpid:\s+(.*)$/m.exec(readIfThere(`/proc/${pid}/status`) ?? '')?.[1]?.split(/\s+/) ?? [];
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
  return stat === null ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

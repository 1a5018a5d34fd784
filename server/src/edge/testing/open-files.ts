import { readdirSync, readlinkSync } from 'node:fs';

/** Files of the folder that this process has open. */
export function openFiles(folder: string): number {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder);
    } catch {
      return false;
    }
  }).length;
}

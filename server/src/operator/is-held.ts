import { holderOf } from '../lib/file-lock.ts';
import { isAlive } from '../lib/process-identity.ts';

/** Whether a living process holds the lock file. */
export function isHeld(path: string): boolean {
  const holder = holderOf(path);
  return holder !== null && isAlive(holder);
}

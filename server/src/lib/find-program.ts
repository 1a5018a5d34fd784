import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Servers often lie where an ordinary user's PATH does not look. */
const SYSTEM_FOLDERS = ['/usr/local/sbin', '/usr/sbin', '/sbin'];

/** The first of these names that is there and may be run. */
export function findProgram(names: readonly string[], path: string | undefined): string | null {
  const folders = [...(path ?? '/usr/local/bin:/usr/bin:/bin').split(delimiter).filter(Boolean), ...SYSTEM_FOLDERS];
  const candidates = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return candidates.find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Environment } from '../../config.ts';

/** Servers often lie where an ordinary user's PATH does not look. */
const SYSTEM_FOLDERS = ['/usr/local/sbin', '/usr/sbin', '/sbin'];

export function findProgram(names: readonly string[], environment: Environment): string | null {
  const folders = [...(environment.PATH ?? '/usr/bin:/bin').split(delimiter).filter(Boolean), ...SYSTEM_FOLDERS];
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

import { existsSync, readdirSync } from 'node:fs';
import { pathsOf } from '../config.ts';

/**
 * A folder that holds something, and nothing of an installation: somebody's home, /tmp, a project.
 * Closing it to everybody else and filling it with our files would be a bad surprise.
 */
export function holdsSomethingElse(home: string): boolean {
  const { store, secrets, run } = pathsOf({ home });
  if (!existsSync(home) || [store, secrets, run].some((folder) => existsSync(folder))) return false;
  return readdirSync(home).length > 0;
}

export const choosesWrongly = (home: string) =>
  `LILAC_HOME (${home}) is a folder with other things in it. Set it to an empty folder, or to one that is not there yet.`;

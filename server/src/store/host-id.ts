import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { pathsOf, type Config } from '../config.ts';

/**
 * Which of the hosts of one platform this is. Written into LILAC_HOME at the first start, since that is what is
 * bound to it: the folder may be moved to another machine, and a machine may get another name.
 */
export function hostIdOf(config: Pick<Config, 'home'>): string {
  const path = pathsOf(config).hostId;
  const known = readId(path);
  if (known) return known;
  const made = `${hostname().slice(0, 60)}-${randomBytes(4).toString('hex')}`;
  writeFileSync(`${path}.new`, `${made}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return made;
}

/** Null where there is none yet, or an empty file: that of a disk that was full. */
function readId(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim() || null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

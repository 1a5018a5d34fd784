import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { pathsOf, type Config } from '../config.ts';
import { syncFolderOf } from '../lib/sync-folder.ts';

/**
 * Which of the hosts of one platform this is. Written into LILAC_HOME at the first start, since that is what is
 * bound to it: the folder may be moved to another machine, and a machine may get another name. The machine's name at
 * the front is for people only.
 */
export function hostIdOf(config: Pick<Config, 'home'>): string {
  const path = pathsOf(config).hostId;
  return readId(path) ?? makeId(path);
}

/**
 * Several processes may find none at once: the first one's counts for all. What is bound to the id is written down
 * elsewhere as soon as it is known: it must not be lost with the power.
 */
function makeId(path: string): string {
  const made = `${hostname().slice(0, 60)}-${randomBytes(4).toString('hex')}`;
  const draft = `${path}.${process.pid}.new`;
  writeFileSync(draft, `${made}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, path);
    syncFolderOf(path);
    return made;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const others = readId(path);
    if (others) return others;
    renameSync(draft, path);
    syncFolderOf(path);
    return made;
  } finally {
    rmSync(draft, { force: true });
  }
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

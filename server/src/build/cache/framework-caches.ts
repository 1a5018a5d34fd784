import { createHash } from 'node:crypto';
import { chown, lstat, mkdir, rename } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { removeTree } from '../../lib/remove-tree.ts';
import { isPlainFolder } from './installed-trees.ts';
import { reachDisk } from './reach-disk.ts';

export interface FrameworkCaches {
  /** Where they are kept. */
  folder: string;
  /** Relative to the project's files. */
  paths: readonly string[];
  /** Where a path of the project really lies. */
  realPath(path: string): string;
  /** Nothing outside is ever touched. */
  workspace: string;
  /** Null: the platform's own. */
  uid: number | null;
}

/** Moved in, not copied: a build that fails or is killed loses them, so none is ever used half-written. */
export async function takeFrameworkCaches(caches: FrameworkCaches): Promise<void> {
  for (const path of caches.paths) {
    const to = caches.realPath(path);
    if (!(await exists(nameOf(caches, path))) || !isBelow(caches.workspace, to)) continue;
    if (!(await makeParents(caches, dirname(to))) || (await exists(to))) continue;
    await rename(nameOf(caches, path), to);
  }
}

/** After a build that succeeded. They are on the disk first: not every framework looks whether its cache is whole. */
export async function keepFrameworkCaches(caches: FrameworkCaches): Promise<void> {
  await mkdir(caches.folder, { recursive: true, mode: 0o755 });
  let isOnDisk = false;
  for (const path of caches.paths) {
    const from = caches.realPath(path);
    if (!isBelow(caches.workspace, from)) continue;
    if (!(await isPlainFolder(caches.workspace, relative(caches.workspace, from)))) continue;
    if (!isOnDisk) await reachDisk(caches.workspace);
    isOnDisk = true;
    await removeTree(nameOf(caches, path));
    await rename(from, nameOf(caches, path));
  }
}

function nameOf({ folder }: FrameworkCaches, path: string): string {
  return join(folder, createHash('sha256').update(path).digest('hex').slice(0, 16));
}

const isBelow = (workspace: string, path: string): boolean => path.startsWith(`${workspace}/`);

/** False where a link is in the way. */
async function makeParents({ workspace, uid }: FrameworkCaches, folder: string): Promise<boolean> {
  if (folder === workspace) return true;
  if (!(await makeParents({ workspace, uid } as FrameworkCaches, dirname(folder)))) return false;
  const status = await lstat(folder).catch(() => null);
  if (status) return status.isDirectory();
  await mkdir(folder, { mode: 0o755 });
  if (uid !== null) await chown(folder, uid, uid);
  return true;
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) !== null;
}

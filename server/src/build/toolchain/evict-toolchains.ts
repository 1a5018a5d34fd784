import { randomBytes } from 'node:crypto';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LockHeld, tryLock } from '../../lib/file-lock.ts';
import { removeTree } from '../../lib/remove-tree.ts';
import { isMounted } from './is-mounted.ts';
import { lockOf, readPointer } from './kept-tool.ts';

/** Longer than any build may take, by far: none that was chosen for a build is removed under it. */
const UNUSED_MS = 30 * 24 * 3600 * 1000;

/** Removes the tools that no build or instance has used for long and none has now, and what installs left behind that were killed. */
export async function evictToolchains(root: string): Promise<void> {
  for (const name of await readdir(root).catch(() => [])) {
    try {
      await whileLocked(join(root, name), evictVersions);
    } catch (error) {
      // One is being installed: the next time will do.
      if (!(error instanceof LockHeld)) throw error;
    }
  }
}

async function whileLocked(folder: string, work: (folder: string) => Promise<void>): Promise<void> {
  const unlock = tryLock(lockOf(folder));
  try {
    await work(folder);
  } finally {
    unlock();
  }
}

async function evictVersions(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const { name } of entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('lock'))) {
    const path = join(folder, name);
    if (name.startsWith('draft-')) await removeTree(path);
    else if ((await isUnused(path)) && !(await isMounted(path))) await discard(folder, path);
  }
  for (const { name } of entries.filter((entry) => entry.name.endsWith('.json'))) {
    const pointer = join(folder, name);
    if ((await readPointer(pointer)) === null) await rm(pointer, { force: true });
  }
}

/** Out of its place at once: killed in the middle, it leaves a draft, never half of a tool. */
async function discard(folder: string, path: string): Promise<void> {
  const draft = join(folder, `draft-${randomBytes(6).toString('hex')}`);
  await rename(path, draft);
  await removeTree(draft);
}

async function isUnused(path: string): Promise<boolean> {
  return Date.now() - (await stat(path)).mtimeMs > UNUSED_MS;
}

import { randomBytes } from 'node:crypto';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LockHeld, tryLock } from '../../lib/file-lock.ts';
import { removeTree } from '../../lib/remove-tree.ts';
import { chooseEvicted } from '../cache/evict-caches.ts';
import { measure } from '../cache/installed-trees.ts';
import { isBeingInstalled } from './draft-of-tool.ts';
import { findMounted, isMounted } from './is-mounted.ts';
import { lockOf, NOTED_MS, readPointer } from './kept-tool.ts';

export interface ToolchainLimits {
  /** What all of them may take together. */
  totalBytes: number;
  /** What nobody has used for so long goes, however much room there is. Longer than any build may take, by far. */
  idleMs: number;
  /** For so long a build may have what it chose in the beginning, between its steps in no sandbox's view. */
  buildMs: number;
}

const toolchainLimits: ToolchainLimits = {
  totalBytes: 10 * 1024 ** 3,
  idleMs: 30 * 24 * 3600 * 1000,
  buildMs: 24 * 3600 * 1000,
};

/**
 * Removes the tools that no build or instance has used for long, those used longest ago while all take more than they
 * may, none that one has now, and what installs left behind that were killed.
 */
export async function evictToolchains(root: string, given: Partial<ToolchainLimits> = {}): Promise<void> {
  const limits = { ...toolchainLimits, ...given };
  const folders = (await readdir(root).catch(() => [])).map((name) => join(root, name));
  for (const folder of folders) await unlessLocked(folder, () => evictIdle(folder, limits));
  await evictOverdue(folders, limits);
}

/** Where one is just put into its place, or its use noted, the next time will do. */
async function unlessLocked(folder: string, work: () => Promise<void>): Promise<void> {
  try {
    const unlock = tryLock(lockOf(folder));
    try {
      await work();
    } finally {
      unlock();
    }
  } catch (error) {
    if (!(error instanceof LockHeld)) throw error;
  }
}

async function evictIdle(folder: string, { idleMs }: ToolchainLimits): Promise<void> {
  for (const path of await drafts(folder)) if (!isBeingInstalled(path)) await removeTree(path);
  for (const path of await versions(folder)) {
    if (Date.now() - (await usedAtOf(path)) > idleMs && !(await isMounted(path))) await discard(path);
  }
  await forgetPointers(folder);
}

interface KeptTool {
  owner: string;
  path: string;
  sizeBytes: number;
  usedAt: number;
}

async function evictOverdue(folders: readonly string[], limits: ToolchainLimits): Promise<void> {
  const kept: KeptTool[] = [];
  for (const path of (await Promise.all(folders.map(versions))).flat()) {
    kept.push({ owner: path, path, sizeBytes: await measure(path), usedAt: await usedAtOf(path) });
  }
  if (kept.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) <= limits.totalBytes) return;
  const chosen = chooseEvicted(
    await withMountedFirst(kept),
    { environmentBytes: Infinity, totalBytes: limits.totalBytes, idleMs: Infinity },
    Date.now(),
  );
  for (const { path, usedAt } of chosen) {
    // Noted so much later at most, and remembered as long by who starts instances.
    if (Date.now() - usedAt < limits.buildMs + 2 * NOTED_MS) continue;
    const folder = dirname(path);
    await unlessLocked(folder, async () => {
      // Somebody may have chosen it since it was looked at.
      if ((await usedAtOf(path)) !== usedAt || (await isMounted(path))) return;
      await discard(path);
      await forgetPointers(folder);
    });
  }
}

/** What is in use takes its room before all others, however long ago it was chosen. */
async function withMountedFirst(kept: readonly KeptTool[]): Promise<KeptTool[]> {
  const mounted = await findMounted(kept.map(({ path }) => path));
  return kept.map((tool) => (mounted.has(tool.path) ? { ...tool, usedAt: Infinity } : tool));
}

async function forgetPointers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pointer = join(folder, name);
    const isPointer = name.endsWith('.json') && !name.startsWith('lock');
    if (isPointer && (await readPointer(pointer)) === null) await rm(pointer, { force: true });
  }
}

/** Out of its place at once: killed in the middle, it leaves a draft, never half of a tool. */
async function discard(path: string): Promise<void> {
  const draft = join(dirname(path), `draft-${randomBytes(6).toString('hex')}`);
  await rename(path, draft);
  await removeTree(draft);
}

const versions = (folder: string) => foldersIn(folder, (name) => !/^(lock|draft-)/.test(name));
const drafts = (folder: string) => foldersIn(folder, (name) => name.startsWith('draft-'));

async function foldersIn(folder: string, isWanted: (name: string) => boolean): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory() && isWanted(entry.name)).map(({ name }) => join(folder, name));
}

/** Of one that has gone meanwhile: now. */
async function usedAtOf(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.mtimeMs ?? Date.now();
}

import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LockHeld, tryLock } from '../../lib/file-lock.ts';
import { removeTree } from '../../lib/remove-tree.ts';
import { whileUnused } from './hold-store.ts';
import { measure } from './installed-trees.ts';

const GIBIBYTE = 1024 ** 3;
const DAY_MS = 24 * 3600 * 1000;

export interface CacheLimits {
  environmentBytes: number;
  totalBytes: number;
  /** What nobody has used for so long goes, however much room there is. */
  idleMs: number;
}

export const cacheLimits: CacheLimits = {
  environmentBytes: 3 * GIBIBYTE,
  totalBytes: 30 * GIBIBYTE,
  idleMs: 30 * DAY_MS,
};

export interface Kept {
  path: string;
  /** Whose share it counts to. */
  owner: string;
  kind: 'installed' | 'frameworks' | 'store';
  sizeBytes: number;
  usedAt: number;
}

/** Removes what was used longest ago until every environment and the whole are within their limits. */
export async function evictCaches(root: string, limits: CacheLimits = cacheLimits, now = Date.now()): Promise<void> {
  await emptyTrash(root);
  const kept = await listKept(root);
  for (const { path, kind, owner } of chooseEvicted(kept, limits, now)) {
    const remove = () => discard(root, path);
    await (kind === 'store'
      ? whileUnused(root, owner, remove)
      : whileUnlocked(join(root, 'environments', owner, 'lock'), remove));
  }
}

export function chooseEvicted(kept: readonly Kept[], limits: CacheLimits, now: number): Kept[] {
  const newestFirst = kept.toSorted((a, b) => b.usedAt - a.usedAt);
  const used = new Map<string, number>();
  let total = 0;
  return newestFirst.filter(({ owner, sizeBytes, usedAt }) => {
    const share = (used.get(owner) ?? 0) + sizeBytes;
    const isOver =
      share > limits.environmentBytes || total + sizeBytes > limits.totalBytes || now - usedAt > limits.idleMs;
    if (isOver) return true;
    used.set(owner, share);
    total += sizeBytes;
    return false;
  });
}

/** Out of sight first: what is half removed must not be found. */
export async function discard(root: string, path: string): Promise<void> {
  const trash = join(root, 'trash');
  await mkdir(trash, { recursive: true, mode: 0o700 });
  const away = join(trash, randomBytes(8).toString('hex'));
  try {
    await rename(path, away);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  await removeTree(away);
}

async function emptyTrash(root: string): Promise<void> {
  for (const name of await namesIn(join(root, 'trash'))) await removeTree(join(root, 'trash', name));
}

async function listKept(root: string): Promise<Kept[]> {
  const environments = await namesIn(join(root, 'environments'));
  const stores = await namesIn(join(root, 'stores'));
  const lists = await Promise.all(environments.map((owner) => listEnvironment(root, owner)));
  const storeList = await Promise.all(stores.map((name) => describe(join(root, 'stores', name), 'store', name)));
  return [...lists.flat(), ...storeList].filter((entry) => entry !== null);
}

async function listEnvironment(root: string, owner: string): Promise<(Kept | null)[]> {
  const folder = join(root, 'environments', owner);
  const keys = await namesIn(join(folder, 'installed'));
  return Promise.all([
    ...keys.map((key) => describe(join(folder, 'installed', key), 'installed', owner)),
    describe(join(folder, 'frameworks'), 'frameworks', owner),
  ]);
}

async function describe(path: string, kind: Kept['kind'], owner: string): Promise<Kept | null> {
  const status = await stat(kind === 'installed' ? join(path, 'entry.json') : path).catch(() => null);
  // Without its entry it is what a killed worker left.
  if (!status) return kind === 'installed' ? { path, kind, owner, sizeBytes: Infinity, usedAt: 0 } : null;
  const sizeBytes = kind === 'installed' ? await sizeOfEntry(path) : await measure(path);
  return { path, kind, owner, sizeBytes, usedAt: status.mtimeMs };
}

async function sizeOfEntry(path: string): Promise<number> {
  const entry = JSON.parse(await readFile(join(path, 'entry.json'), 'utf8').catch(() => '{}')) as {
    sizeBytes?: number;
  };
  return entry.sizeBytes ?? Infinity;
}

async function whileUnlocked(path: string, action: () => Promise<void>): Promise<void> {
  try {
    const unlock = tryLock(path);
    try {
      await action();
    } finally {
      unlock();
    }
  } catch (error) {
    // A build is using it.
    if (!(error instanceof LockHeld)) throw error;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

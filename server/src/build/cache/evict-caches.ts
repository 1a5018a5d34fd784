import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LockHeld, tryLock } from '../../lib/file-lock.ts';
import { removeTree } from '../../lib/remove-tree.ts';
import { tryEach } from '../../lib/try-each.ts';
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

const cacheLimits: CacheLimits = {
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

/**
 * Removes what was used longest ago until every environment and the whole are within their limits. What cannot
 * be removed keeps nothing else from being so; it is told by a rejection in the end.
 */
export async function evictCaches(root: string, limits: CacheLimits = cacheLimits, now = Date.now()): Promise<void> {
  await tryEach([emptyTrash, evictOverdue], (step) => step(root, limits, now));
}

async function evictOverdue(root: string, limits: CacheLimits, now: number): Promise<void> {
  await evict(root, chooseEvicted(await listKept(root), limits, now));
}

/** The same for what one build may have made grow: cheap enough to be done after each. */
export async function evictAfterBuild(
  root: string,
  { organisationId, environmentId }: { organisationId: string; environmentId: string },
  limits: CacheLimits = cacheLimits,
): Promise<void> {
  const store = await describe(join(root, 'stores', organisationId), 'store', organisationId);
  const kept = [store, ...(await listEnvironment(root, environmentId))].filter((entry) => entry !== null);
  await evict(root, chooseEvicted(kept, limits, Date.now()));
}

async function evict(root: string, evicted: readonly Kept[]): Promise<void> {
  await tryEach(evicted, async (entry) => {
    const { path, kind, owner } = entry;
    let away: string | null = null;
    const move = async () => {
      // A build that ended since it was looked at has made it whole.
      const isWholeByNow = entry.sizeBytes === Infinity && (await describe(path, kind, owner))?.sizeBytes !== Infinity;
      if (!isWholeByNow) away = await moveAway(root, path);
    };
    await (kind === 'store'
      ? whileUnused(root, owner, move)
      : whileUnlocked(join(root, 'environments', owner, 'lock'), move));
    // The next build need not wait for it.
    if (away !== null) await removeTree(away);
  });
}

export function chooseEvicted<T extends Pick<Kept, 'owner' | 'sizeBytes' | 'usedAt'>>(
  kept: readonly T[],
  limits: CacheLimits,
  now: number,
): T[] {
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

export async function discard(root: string, path: string): Promise<void> {
  const away = await moveAway(root, path);
  if (away !== null) await removeTree(away);
}

/** Out of sight first: what is half removed must not be found. Null where there is nothing. */
async function moveAway(root: string, path: string): Promise<string | null> {
  const trash = join(root, 'trash');
  await mkdir(trash, { recursive: true, mode: 0o700 });
  const away = join(trash, randomBytes(8).toString('hex'));
  try {
    await rename(path, away);
    return away;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function emptyTrash(root: string): Promise<void> {
  const trash = join(root, 'trash');
  await tryEach(await namesIn(trash), (name) => removeTree(join(trash, name)));
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

import { statSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LockHeld } from '../../lib/file-lock.ts';
import { Fault } from '../../lib/fault.ts';
import { dropMirror, mirrorAt, withLockedMirror } from './mirror.ts';

export interface SweepLimits {
  /** A mirror that nothing has used for longer goes. */
  unusedMs: number;
  /** One that was used more recently may still be read from, and stays. */
  inUseMs: number;
  /** One with more packs is slow to read, and cheaper to fetch anew than to tidy up. */
  maxPacks: number;
  /** Of all together; those not used for longest go first. */
  maxTotalBytes: number;
}

const DAY_MS = 24 * 60 * 60_000;
export const sweepLimits: SweepLimits = {
  unusedMs: 14 * DAY_MS,
  inUseMs: 60 * 60_000,
  maxPacks: 100,
  maxTotalBytes: 20 * 1024 ** 3,
};

export async function sweepMirrors(root: string, limits: SweepLimits = sweepLimits): Promise<void> {
  const names = await readdir(root).catch(() => []);
  const found = names.filter((name) => name.endsWith('.git'));
  const mirrors = await Promise.all(found.map((name) => inspect(root, name.slice(0, -'.git'.length))));
  let total = mirrors.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  for (const { name, usedAt, packs, sizeBytes } of mirrors.toSorted((one, other) => one.usedAt - other.usedAt)) {
    const age = Date.now() - usedAt;
    const isDue = age > limits.unusedMs || packs > limits.maxPacks || total > limits.maxTotalBytes;
    if (age < limits.inUseMs || !isDue) continue;
    if (await dropUnlessBusy(root, name)) total -= sizeBytes;
  }
  await removeRemains(root, names, limits);
}

interface Inspected {
  name: string;
  usedAt: number;
  packs: number;
  sizeBytes: number;
}

async function inspect(root: string, name: string): Promise<Inspected> {
  const { gitDir } = mirrorAt(root, name);
  const entries = await readdir(gitDir, { recursive: true }).catch(() => []);
  const sizes = entries.map((entry) => statSync(join(gitDir, entry), { throwIfNoEntry: false })?.size ?? 0);
  return {
    name,
    usedAt: statSync(gitDir, { throwIfNoEntry: false })?.mtimeMs ?? Date.now(),
    packs: entries.filter((entry) => entry.endsWith('.pack')).length,
    sizeBytes: sizes.reduce((sum, size) => sum + size, 0),
  };
}

async function dropUnlessBusy(root: string, name: string): Promise<boolean> {
  const mirror = mirrorAt(root, name);
  try {
    await withLockedMirror(mirror, { waitMs: 0 }, () => dropMirror(mirror));
    return true;
  } catch (error) {
    if (error instanceof Fault || error instanceof LockHeld) return false;
    throw error;
  }
}

/** What a process left that was killed while it dropped a mirror or wrote files out of one. */
async function removeRemains(root: string, names: readonly string[], { inUseMs }: SweepLimits): Promise<void> {
  const dropped = names.filter((name) => name.includes('.git.dropped-'));
  await Promise.all(dropped.map((name) => rm(join(root, name), { recursive: true, force: true })));
  for (const name of names.filter((entry) => entry.endsWith('.git'))) {
    const files = await readdir(join(root, name)).catch(() => []);
    const indexes = files.filter((file) => file.startsWith('index-')).map((file) => join(root, name, file));
    const old = indexes.filter(
      (path) => Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > inUseMs,
    );
    await Promise.all(old.map((path) => rm(path, { force: true })));
  }
}

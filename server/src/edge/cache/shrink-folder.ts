import { lstat, opendir, rm } from 'node:fs/promises';
import { join } from 'node:path';

export interface ShrinkOptions {
  root: string;
  /** Folders below it that hold the files. */
  folders: readonly string[];
  /** No more than this is left. */
  keepBytes: number;
  /** What was used within this time stays: somebody may be about to open it. */
  youngMs: number;
}

interface FoundFile {
  path: string;
  /** On the disk. */
  bytes: number;
  usedAtMs: number;
}

const BLOCK_BYTES = 4096;

/** Removes what was not used for the longest, and says how much is left. One file at a time: who serves goes first. */
export async function shrinkFolder({ root, folders, keepBytes, youngMs }: ShrinkOptions): Promise<number> {
  const youngSince = Date.now() - youngMs;
  /** By the second of last use, since there may be millions of files. */
  const bytesBySecond = new Map<number, number>();
  let left = 0;
  for await (const { bytes, usedAtMs } of filesOf(root, folders)) {
    left += bytes;
    if (usedAtMs < youngSince)
      bytesBySecond.set(secondOf(usedAtMs), (bytesBySecond.get(secondOf(usedAtMs)) ?? 0) + bytes);
  }
  if (left <= keepBytes) return left;
  const lastSecond = lastToGo(bytesBySecond, left - keepBytes);
  for await (const { path, bytes, usedAtMs } of filesOf(root, folders)) {
    if (left <= keepBytes) break;
    if (usedAtMs >= youngSince || secondOf(usedAtMs) > lastSecond) continue;
    await rm(path, { force: true });
    left -= bytes;
  }
  return left;
}

/** What a file of this size takes on the disk, about. */
export function bytesOnDisk(size: number): number {
  return Math.ceil((size + 1) / BLOCK_BYTES) * BLOCK_BYTES;
}

const secondOf = (timeMs: number) => Math.floor(timeMs / 1000);

function lastToGo(bytesBySecond: ReadonlyMap<number, number>, tooManyBytes: number): number {
  let freed = 0;
  let last = -Infinity;
  for (const [second, bytes] of [...bytesBySecond].toSorted(([a], [b]) => a - b)) {
    last = second;
    freed += bytes;
    if (freed >= tooManyBytes) break;
  }
  return last;
}

async function* filesOf(root: string, folders: readonly string[]): AsyncIterable<FoundFile> {
  for (const folder of folders) yield* filesBelow(join(root, folder));
}

async function* filesBelow(folder: string): AsyncIterable<FoundFile> {
  const entries = await opendir(folder).catch(() => null);
  if (!entries) return;
  for await (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      yield* filesBelow(path);
      continue;
    }
    // Another process of this machine may have removed it.
    const found = await lstat(path).catch(() => null);
    if (found) yield { path, bytes: bytesOnDisk(found.size), usedAtMs: found.mtimeMs };
  }
}

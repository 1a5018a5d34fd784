import type { Dirent } from 'node:fs';
import { lstat, readdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { filesOf } from './place-files.ts';
import type { VolumeRecord } from './place-record.ts';
import { RESERVE_BYTES } from './volume-size.ts';

export interface MeasuredSpace {
  usedBytes: number;
  hardBytes: number | null;
}

export async function measureSpace(folder: string, volume: VolumeRecord): Promise<MeasuredSpace> {
  const files = filesOf(folder);
  if (volume.kind === 'folder') return { usedBytes: await sizeOfTree(files.home), hardBytes: null };
  const { bsize, blocks, bfree } = await statfs(files.volume);
  const reserve = await lstat(files.reserve).catch(() => null);
  const own = volume.emptyBytes + (reserve ? RESERVE_BYTES : 0);
  const usedBytes = Math.max(0, (blocks - bfree) * bsize - own);
  return { usedBytes, hardBytes: usedBytes + bfree * bsize };
}

/** Of a file system, with what it takes for itself. */
export async function takenBytes(volume: string): Promise<number> {
  const { bsize, blocks, bfree } = await statfs(volume);
  return (blocks - bfree) * bsize;
}

const BLOCK_BYTES = 512;

/** What a folder's files take on the disk; those that go meanwhile do not count. */
async function sizeOfTree(folder: string): Promise<number> {
  let total = 0;
  for (const waiting = [folder]; waiting.length > 0;) {
    const here = waiting.pop() as string;
    const entries: Dirent[] = await readdir(here, { withFileTypes: true }).catch(() => []);
    waiting.push(...entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(here, name)));
    const files = entries.filter((entry) => !entry.isDirectory());
    const blocks = await Promise.all(files.map(({ name }) => blocksOf(join(here, name))));
    total += blocks.reduce((sum, each) => sum + each, 0) * BLOCK_BYTES;
  }
  return total;
}

const blocksOf = async (path: string): Promise<number> => (await lstat(path).catch(() => null))?.blocks ?? 0;

import { mkdir, mkdtemp, open, realpath, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { identify } from '../../lib/process-identity.ts';
import { probeNameOf } from './abilities.ts';
import { imageBytes } from './volume-size.ts';

const GIB = 1024 ** 3;

/** What whoever says nothing gets: it can be had on the smallest disk, though not filled there. */
const ALWAYS_GB = 10;

/**
 * The most that a database can be promised in a folder of this machine: what its disk has in all, free or not, since
 * volumes are sparse, but no more than its file system takes in one file.
 */
export async function largestStorageGb(folder: string): Promise<number> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { bsize, blocks } = await statfs(folder);
  const diskGb = Math.max(ALWAYS_GB, Math.ceil((bsize * blocks) / GIB));
  // Named as what a killed one leaves behind is named, so that it is swept away.
  const probe = await mkdtemp(join(await realpath(folder), probeNameOf(identify(process.pid)!))).catch(() => null);
  // On a disk that is full, what may be had there is another question.
  if (probe === null) return diskGb;
  try {
    return await largestThat(diskGb, (storageGb) => canHold(join(probe, 'file'), imageBytes(storageGb)));
  } finally {
    await rm(probe, { recursive: true, force: true });
  }
}

/** The largest whole number up to the limit that passes, where all below one that does pass too; at least 0. */
export async function largestThat(limit: number, passes: (value: number) => Promise<boolean>): Promise<number> {
  if (await passes(limit)) return limit;
  let [good, bad] = [0, limit];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (await passes(middle)) good = middle;
    else bad = middle;
  }
  return good;
}

/** Sparse: it takes nothing of the disk. */
async function canHold(path: string, bytes: number): Promise<boolean> {
  try {
    await using file = await open(path, 'w', 0o600);
    await file.truncate(bytes);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EFBIG';
  }
}

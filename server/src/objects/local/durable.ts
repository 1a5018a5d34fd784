import { mkdirSync } from 'node:fs';
import { link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { inParallel } from '../in-parallel.ts';

/** As many as the threads that do it, twice: the disk then always has several to write, and commits them together. */
export const SYNCS_AT_ONCE = 8;

/** A name in a folder survives a crash only when the folder itself was written. */
export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r');
  await handle.sync();
}

/** Makes folders and what they lie in, for us alone, so that they survive a crash. */
export async function makeFolders(folders: readonly string[]): Promise<void> {
  const changed = new Set<string>();
  for (const folder of folders) {
    const first = mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (first === undefined) continue;
    for (let made = folder; made.length >= first.length; made = dirname(made)) changed.add(dirname(made));
  }
  await inParallel([...changed], SYNCS_AT_ONCE, syncFolder);
}

/** Gives a finished file its name. The caller writes the folder (`syncFolder`). */
export async function moveInto(from: string, to: string): Promise<void> {
  await makeFolders([dirname(to)]);
  await rename(from, to);
}

/** The same, but never over something that is there already: false then, and the file is gone. */
export async function moveIntoNew(from: string, to: string): Promise<boolean> {
  await makeFolders([dirname(to)]);
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(from, { force: true });
  }
}

import { link, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A name in a folder survives a crash only when the folder itself was written. */
export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r');
  await handle.sync();
}

/** Makes a folder and what it lies in, for us alone, so that they survive a crash. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

/** Gives a finished file its name. The caller writes the folder (`syncFolder`). */
export async function moveInto(from: string, to: string): Promise<void> {
  await makeFolder(dirname(to));
  await rename(from, to);
}

/** The same, but never over something that is there already: false then, and the file is gone. */
export async function moveIntoNew(from: string, to: string): Promise<boolean> {
  await makeFolder(dirname(to));
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

import type { Dropped } from './dropped-file.ts';
import { formatSize } from '@lilac/contract/format-size';
import { Refusal } from './refusal.ts';
import { sayUnreadable } from './unreadable-file.ts';
import { zipFiles } from './zip-files/zip-files.ts';

interface PackOptions {
  /** What the platform takes. */
  maxBytes: number;
  signal: AbortSignal;
  onProgress?: (doneFiles: number) => void;
}

/** The archive to send. Throws a `Refusal` where something is the matter with the files. */
export async function packDropped(dropped: Dropped, { maxBytes, signal, onProgress }: PackOptions): Promise<Blob> {
  const archive = 'archive' in dropped ? dropped.archive : await pack(dropped.files, { signal, onProgress });
  if (archive.size <= maxBytes) return archive;
  const sizes = `It has ${formatSize(archive.size)}, and at most ${formatSize(maxBytes)} can be uploaded.`;
  throw new Refusal(`${sizes} Leave out what a build makes anew, or deploy from a repository.`);
}

async function pack(...parameters: Parameters<typeof zipFiles>): Promise<Blob> {
  try {
    return await zipFiles(...parameters);
  } catch (error) {
    throw sayUnreadable(error);
  }
}

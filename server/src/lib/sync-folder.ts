import { closeSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

/** A new name of a file survives a power cut only when the folder that it lies in was written too. */
export function syncFolderOf(path: string): void {
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

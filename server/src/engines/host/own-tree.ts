import { lchownSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Gives a file, or a folder with all that is in it, to a user. */
export function ownTree(path: string, uid: number): void {
  lchownSync(path, uid, uid);
  for (const entry of entriesOf(path)) lchownSync(join(entry.parentPath, entry.name), uid, uid);
}

function entriesOf(path: string) {
  try {
    return readdirSync(path, { recursive: true, withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return [];
    throw error;
  }
}

import { constants } from 'node:fs';
import { copyFile, open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Copying as root out of folders that a server's user writes: it may put a link in place of anything at any moment. So
 * folders and files are opened first, without following links, and then reached by what was opened and not by name.
 */
export interface OpenFolder extends AsyncDisposable {
  handle: FileHandle;
  /** Means the opened folder, whatever has its name by now; for this process, and for those that it starts. */
  path: string;
}

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

const pathOf = ({ fd }: FileHandle): string => `/proc/${process.pid}/fd/${fd}`;

/** No longer there, or something else than it was. */
const GONE = new Set(['ENOENT', 'ELOOP', 'ENOTDIR', 'ENXIO']);

/** Null where there is no folder of that name, or no longer. */
export async function openFolder(parent: string, name = ''): Promise<OpenFolder | null> {
  const handle = await openUnfollowed(join(parent, name), O_DIRECTORY);
  return handle && { handle, path: pathOf(handle), [Symbol.asyncDispose]: () => handle.close() };
}

/** False where there is no file of that name, or no longer. What is copied to must not be there yet. */
export async function copyUnfollowed(from: string, to: string): Promise<boolean> {
  // A pipe would keep whoever opens it waiting.
  await using handle = await openUnfollowed(from, O_NONBLOCK);
  if (!handle || !(await handle.stat()).isFile()) return false;
  await copyFile(pathOf(handle), to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  return true;
}

async function openUnfollowed(path: string, flag: number): Promise<FileHandle | null> {
  try {
    return await open(path, O_RDONLY | O_NOFOLLOW | flag);
  } catch (error) {
    if (GONE.has((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

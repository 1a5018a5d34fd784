import { constants } from 'node:fs';
import { access, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder, syncFolder } from './durable.ts';
import { inParallel } from './in-parallel.ts';
import { makeIncoming, newIncomingPath } from './incoming.ts';
import { writeObject } from './write-object.ts';

export interface FileToTake {
  /** Where it is; it may be moved away. */
  from: string;
  /** Where it belongs. */
  path: string;
}

/**
 * More than the four threads that do it, so that the disk always has several to write at once: the
 * file system then commits them together. For 1,000 files that is 70 to 100 ms; one `sync -f` takes 30
 * on a quiet machine, but 300 after an install has written its packages, for it waits for all of those.
 */
const AT_ONCE = 16;

/** Takes over files that somebody else has made, a build perhaps, and brings all to the disk. */
export async function takeFiles(root: string, files: readonly FileToTake[]): Promise<void> {
  const missing = await missingOf(files);
  if (missing.length === 0) return;
  const folders = [...new Set(missing.map((file) => dirname(file.path)))];
  await makeIncoming(root);
  await inParallel(folders, AT_ONCE, makeFolder);
  await inParallel(missing, AT_ONCE, (file) => takeFile(root, file));
  await inParallel(folders, AT_ONCE, syncFolder);
}

async function missingOf(files: readonly FileToTake[]): Promise<FileToTake[]> {
  const missing: FileToTake[] = [];
  await inParallel([...new Map(files.map((file) => [file.path, file])).values()], AT_ONCE, async (file) => {
    if (!(await exists(file.path))) missing.push(file);
  });
  return missing;
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** First out of reach of whoever made it, then looked at: what is looked at is what is kept. */
async function takeFile(root: string, { from, path }: FileToTake): Promise<void> {
  const incoming = newIncomingPath(root);
  const isMoved = await tryRename(from, incoming);
  try {
    const source = isMoved ? incoming : from;
    if (isMoved && (await adopt(source))) await rename(source, path);
    else await copy(root, source, path);
  } finally {
    // After the rename there is nothing left to remove.
    if (isMoved) await rm(incoming, { force: true, recursive: true });
  }
}

/** False where the file lies on another file system. */
async function tryRename(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (['EXDEV', 'EPERM', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

/** Makes a file ours, without a special bit, and on the disk. False where only a copy can be ours. */
async function adopt(path: string): Promise<boolean> {
  await using handle = await openPlain(path);
  const { uid, gid, nlink } = await handle.stat();
  // Through its other name it could be changed later.
  if (nlink > 1) return false;
  if (uid !== process.getuid!() || gid !== process.getgid!()) {
    if (process.getuid!() !== 0) return false;
    await handle.chown(process.getuid!(), process.getgid!());
  }
  await handle.chmod(0o600);
  await handle.datasync();
  return true;
}

async function copy(root: string, from: string, path: string): Promise<void> {
  await using handle = await openPlain(from);
  await writeObject({ root, path, source: handle.createReadStream() });
}

/** A pipe would make us wait, a link would lead us elsewhere. */
async function openPlain(path: string): Promise<FileHandle> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new Error(`${path} is not a file.`);
}

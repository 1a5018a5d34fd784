import * as fs from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { makeFolders, syncFolder, SYNCS_AT_ONCE } from './durable.ts';
import { inParallel } from '../in-parallel.ts';
import { openPlain } from '../open-plain.ts';
import { makeIncoming, newIncomingPath } from './incoming.ts';
import { writeObject } from './write-object.ts';

export interface FileToTake {
  /** Where it is; it may be moved away. */
  from: string;
  /** Where it belongs. */
  path: string;
}

/**
 * Takes over files that somebody else has made, a build perhaps, and brings all to the disk.
 *
 * What waits for the disk is done by several threads at once; what does not is done on the spot, for
 * handing it to a thread costs several times as much. Each file is written to the disk by itself: one
 * `sync` of the file system takes a third of that on a quiet machine, and three times as long after an
 * install has written its packages, for it waits for all of those.
 */
export async function takeFiles(root: string, files: readonly FileToTake[]): Promise<void> {
  const wanted = [...new Map(files.map((file) => [file.path, file])).values()];
  const missing = wanted.filter((file) => fs.lstatSync(file.path, { throwIfNoEntry: false }) === undefined);
  if (missing.length === 0) return;
  const folders = [...new Set(missing.map((file) => dirname(file.path)))];
  await makeIncoming(root);
  await makeFolders(folders);
  await inParallel(missing, SYNCS_AT_ONCE, (file) => takeFile(root, file));
  await inParallel(folders, SYNCS_AT_ONCE, syncFolder);
}

/** First out of reach of whoever made it, then looked at: what is looked at is what is kept. */
async function takeFile(root: string, { from, path }: FileToTake): Promise<void> {
  const incoming = newIncomingPath(root);
  const isMoved = tryRename(from, incoming);
  try {
    if (isMoved && (await adopt(incoming))) return fs.renameSync(incoming, path);
    await copy(root, isMoved ? incoming : from, path);
  } catch (error) {
    if (isMoved) fs.rmSync(incoming, { force: true, recursive: true });
    throw error;
  }
  if (isMoved) fs.rmSync(incoming);
}

const NOT_MOVABLE = ['EXDEV', 'EPERM', 'EACCES'];

/** False where the file lies on another file system, or where it is not ours to move. */
function tryRename(from: string, to: string): boolean {
  try {
    fs.renameSync(from, to);
    return true;
  } catch (error) {
    if (NOT_MOVABLE.includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

const syncData = promisify(fs.fdatasync);

/** Makes a file ours, without a special bit, and on the disk. False where only a copy can be ours. */
async function adopt(path: string): Promise<boolean> {
  const file = openPlain(path);
  try {
    const { uid, gid, nlink } = fs.fstatSync(file);
    const [ourUid, ourGid] = [process.getuid!(), process.getgid!()];
    // Through its other name it could be changed later.
    if (nlink > 1) return false;
    if (uid !== ourUid || gid !== ourGid) {
      if (ourUid !== 0) return false;
      fs.fchownSync(file, ourUid, ourGid);
    }
    fs.fchmodSync(file, 0o600);
    await syncData(file);
    return true;
  } finally {
    fs.closeSync(file);
  }
}

async function copy(root: string, from: string, path: string): Promise<void> {
  await writeObject({ root, path, source: fs.createReadStream('', { fd: openPlain(from) }) });
}

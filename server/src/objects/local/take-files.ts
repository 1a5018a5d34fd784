import * as fs from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { createBreather } from '../../lib/breather.ts';
import { makeFolders, syncFolder, SYNCS_AT_ONCE } from './durable.ts';
import { inParallel } from '../in-parallel.ts';
import { openPlain } from '../open-plain.ts';
import { makeIncoming, newIncomingPath } from './incoming.ts';
import { syncFileSystem } from './sync-file-system.ts';
import { writeObject } from './write-object.ts';

export interface FileToTake {
  /** Where it is; it may be moved away. */
  from: string;
  /** Where it belongs. */
  path: string;
}

/** A file that is ours already, but not yet in its place. */
interface TakenIn {
  incoming: string;
  path: string;
}

/** From here on, one `sync` of the file system is quicker than one of every file. */
const MANY = 64;

/**
 * Takes over files that somebody else has made, a build perhaps, and brings all to the disk: first the files, then,
 * once they have their names, the folders. What has a name is whole after a power cut too.
 *
 * What waits for the disk is done by several threads at once; what does not is done on the spot, for handing it to a
 * thread costs several times as much. Many files are brought to the disk by one `sync` of the file system: of a
 * thousand it is less than half of the work, and on a busy machine two thirds of the time. Not where much else waits
 * to be written, as after an install has written its packages: it would wait for all of those, three times as long as
 * for the files one by one.
 */
export async function takeFiles(
  root: string,
  files: readonly FileToTake[],
  syncAll: (folder: string) => Promise<boolean> = syncFileSystem,
): Promise<void> {
  const wanted = [...new Map(files.map((file) => [file.path, file])).values()];
  const missing = wanted.filter((file) => fs.lstatSync(file.path, { throwIfNoEntry: false }) === undefined);
  if (missing.length === 0) return;
  const folders = [...new Set(missing.map((file) => dirname(file.path)))];
  const syncTogether = async () => missing.length >= MANY && (await syncAll(root));
  await makeIncoming(root);
  await makeFolders(folders);
  const breathe = createBreather();
  const takenIn: TakenIn[] = [];
  try {
    await inParallel(missing, SYNCS_AT_ONCE, async (file) => {
      const taken = await takeIn(root, file);
      if (taken) takenIn.push(taken);
      await breathe();
    });
    if (!(await syncTogether())) await inParallel(takenIn, SYNCS_AT_ONCE, syncFile);
    for (const { incoming, path } of takenIn) {
      fs.renameSync(incoming, path);
      await breathe();
    }
  } catch (error) {
    for (const { incoming } of takenIn) fs.rmSync(incoming, { force: true });
    throw error;
  }
  if (!(await syncTogether())) await inParallel(folders, SYNCS_AT_ONCE, syncFolder);
}

/**
 * First out of reach of whoever made it, then looked at: what is looked at is what is kept. Null where only a copy
 * could be ours: that is on the disk and in its place already.
 */
async function takeIn(root: string, { from, path }: FileToTake): Promise<TakenIn | null> {
  const incoming = newIncomingPath(root);
  const isMoved = tryRename(from, incoming);
  try {
    if (isMoved && adopt(incoming)) return { incoming, path };
    await copy(root, isMoved ? incoming : from, path);
  } catch (error) {
    if (isMoved) fs.rmSync(incoming, { force: true, recursive: true });
    throw error;
  }
  if (isMoved) fs.rmSync(incoming);
  return null;
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

/** Makes a file ours, without a special bit. False where only a copy can be ours. */
function adopt(path: string): boolean {
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
    return true;
  } finally {
    fs.closeSync(file);
  }
}

const syncData = promisify(fs.fdatasync);

async function syncFile({ incoming }: TakenIn): Promise<void> {
  const file = openPlain(incoming);
  try {
    await syncData(file);
  } finally {
    fs.closeSync(file);
  }
}

async function copy(root: string, from: string, path: string): Promise<void> {
  await writeObject({ root, path, source: fs.createReadStream('', { fd: openPlain(from) }) });
}

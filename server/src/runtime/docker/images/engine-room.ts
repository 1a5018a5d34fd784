import { stat, statfs } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type Docker from 'dockerode';
import { BuildFailed } from '../../../build/builder.ts';
import { watchDisk, type DiskWatchOptions } from '../../../build/watch-disk.ts';

/** Where the engine keeps all that it has. */
export async function rootOf(engine: Docker): Promise<string> {
  const { DockerRootDir } = (await engine.info()) as { DockerRootDir: string };
  return DockerRootDir;
}

const BTRFS = 0x9123683e;

/** Whether two folders take their room from the same file system. */
export async function sharesDisk(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([stat(one), stat(other)]);
  if (a.dev === b.dev) return true;
  // Its parts have numbers of their own, and take from one room all the same.
  const [first, second] = await Promise.all([statfs(one), statfs(other)]);
  return first.type === BTRFS && second.type === BTRFS && first.blocks === second.blocks;
}

export interface RoomWatch extends Disposable {
  /** Aborted, with `BuildFailed` as its reason, where too much was written or too little is left. */
  signal: AbortSignal;
}

export type RoomOptions = Pick<DiskWatchOptions, 'maxBytes' | 'everyMs' | 'measure' | 'onTrouble'> & {
  readFiles?: (folder: string) => Promise<FileRoom>;
};

/**
 * Ends what fills the engine's disk. What the engine itself writes, as it fetches an image or keeps what a step has
 * left, is measured by nothing else: it ends where the disk is nearly full.
 */
export function watchRoom(
  root: string,
  { readFiles = filesOf, everyMs = EVERY_MS, ...options }: RoomOptions,
): RoomWatch {
  const disk = watchDisk([root], { measure: async () => 0, everyMs, ...options });
  const [full, over] = [new AbortController(), new AbortController()];
  void watchFiles(() => readFiles(root), { everyMs, full, over: over.signal });
  return {
    signal: AbortSignal.any([disk.signal, full.signal]),
    [Symbol.dispose]() {
      over.abort();
      disk[Symbol.dispose]();
    },
  };
}

/** A step may leave files that take no room until the engine keeps them, so that it is looked often. */
const EVERY_MS = 1000;

/** How many files a file system has room for; 0 of 0 where it does not count them. */
export interface FileRoom {
  free: number;
  total: number;
}

const RESERVE = { share: 0.05, files: 100_000 };

interface Watching {
  everyMs: number;
  full: AbortController;
  over: AbortSignal;
}

/** Files without anything in them take no bytes, and a disk that has no room for another file is as full. */
async function watchFiles(readFiles: () => Promise<FileRoom>, { everyMs, full, over }: Watching): Promise<void> {
  let first: number | undefined;
  while (!over.aborted && !full.signal.aborted) {
    // Whoever watches the bytes says so where nothing can be read.
    const { free, total } = await readFiles().catch(() => ({ free: 0, total: 0 }));
    if (total > 0) first ??= free;
    const isLittle = total > 0 && free < Math.min(total * RESERVE.share, RESERVE.files);
    if (isLittle && free < first! && !over.aborted) full.abort(tooManyFiles());
    await delay(everyMs, null, { ref: false, signal: over }).catch(() => {});
  }
}

async function filesOf(folder: string): Promise<FileRoom> {
  const { files, ffree } = await statfs(folder);
  return { free: ffree, total: files };
}

const tooManyFiles = (): BuildFailed =>
  new BuildFailed(
    'The disk of the platform has hardly room for more files, so that the build was stopped. ' +
      'Let it write fewer; if it writes few, the operator has to make room.',
  );

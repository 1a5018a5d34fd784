import { statfs } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { BuildFailed } from './builder.ts';
import { measure } from './cache/installed-trees.ts';
import { heldBytes } from './held-files.ts';

const GIBIBYTE = 1024 ** 3;

/** What the files of one build and its organisation's downloads may take together while it runs. */
export const MAX_BUILD_BYTES = 12 * GIBIBYTE;

const FIRST_LOOK_MS = 2000;
/** Measuring takes this part of a core at most, however many files there are. */
const SHARE = 1 / 20;
/** What others need to go on, the store above all: the lesser of the two. */
const RESERVE = { share: 0.05, bytes: GIBIBYTE };
/** A quick disk takes some gigabytes a second. */
const SPACE_LOOK_MS = 250;

export interface DiskWatch extends Disposable {
  /** Aborted, with `BuildFailed` as its reason, once there is more. */
  signal: AbortSignal;
}

export interface DiskWatchOptions {
  maxBytes?: number;
  firstLookMs?: number;
  /** The processes of the build: what they keep open takes room too, though no folder has it any more. */
  members?: () => readonly number[];
  /** Of the file system on which a folder is. */
  readSpace?: (folder: string) => Promise<Space>;
}

export interface Space {
  freeBytes: number;
  totalBytes: number;
}

/** File systems rarely can limit a folder, so that it is measured now and then. */
export function watchDisk(folders: readonly string[], options: DiskWatchOptions = {}): DiskWatch {
  const full = new AbortController();
  const over = new AbortController();
  void lookAtFolders(folders, options, { full, over: over.signal }).catch(() => {});
  for (const folder of folders) void lookAtSpace(folder, options, { full, over: over.signal }).catch(() => {});
  return { signal: full.signal, [Symbol.dispose]: () => over.abort() };
}

interface Watching {
  full: AbortController;
  over: AbortSignal;
}

async function lookAtFolders(
  folders: readonly string[],
  { maxBytes = MAX_BUILD_BYTES, firstLookMs = FIRST_LOOK_MS, members = () => [] }: DiskWatchOptions,
  { full, over }: Watching,
): Promise<void> {
  for (let waitMs = firstLookMs; !full.signal.aborted;) {
    await delay(waitMs, null, { signal: over });
    const startedAt = performance.now();
    const sizes = await Promise.all(folders.map((folder) => measure(folder)));
    const bytes = sizes.reduce((sum, size) => sum + size, heldBytes(members()));
    if (bytes > maxBytes) full.abort(tookTooMuch(maxBytes));
    waitMs = Math.max(firstLookMs, (performance.now() - startedAt) / SHARE);
  }
}

/** Whatever it is that takes the room: a full disk would stop everything on this machine. */
async function lookAtSpace(
  folder: string,
  { readSpace = spaceOf }: DiskWatchOptions,
  { full, over }: Watching,
): Promise<void> {
  const { freeBytes: before, totalBytes } = await readSpace(folder);
  const reserve = Math.min(totalBytes * RESERVE.share, RESERVE.bytes);
  while (!full.signal.aborted) {
    await delay(SPACE_LOOK_MS, null, { signal: over });
    const { freeBytes } = await readSpace(folder);
    if (freeBytes < reserve && freeBytes < before) full.abort(leftTooLittle(reserve));
  }
}

async function spaceOf(folder: string): Promise<Space> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

function tookTooMuch(maxBytes: number): BuildFailed {
  const limit = `${Math.round(maxBytes / GIBIBYTE)} GiB`;
  return new BuildFailed(`The build wrote more than ${limit} of files and was stopped. Let it write less.`);
}

function leftTooLittle(reserve: number): BuildFailed {
  const left = `${Math.round(reserve / 1024 ** 2)} MiB`;
  return new BuildFailed(
    `The disk of the platform has less than ${left} left, so that the build was stopped. ` +
      'Let it write less; if it writes little, the operator has to make room.',
  );
}

import { setTimeout as delay } from 'node:timers/promises';
import { reserveOf, spaceOf, type Space } from '../lib/disk-space.ts';
import { BuildFailed } from './builder.ts';
import { heldBytes } from './held-files.ts';
import { measureFolders } from './measure-folders.ts';

const GIBIBYTE = 1024 ** 3;

/** What the files of one build and its organisation's downloads may take together while it runs. */
export const MAX_BUILD_BYTES = 12 * GIBIBYTE;

/** A quick disk takes some gigabytes a second. */
const SPACE_LOOK_MS = 250;

/**
 * Measuring folders means looking at every file, and takes its time from the build. So it is done now and then, with
 * a small part of a core however many files there are; and at once where that part of what is allowed has gone from
 * the disk meanwhile, since what does not take room there is no harm yet.
 */
const CALM = { everyMs: 10_000, share: 1 / 20 };
const HURRY = { growth: 1 / 16, share: 1 / 4 };

/** One look may fail by chance: files move meanwhile. After so many in a row nobody knows what the build writes. */
const MAX_FAILURES = 5;

export interface DiskWatch extends Disposable {
  /** Aborted, with `BuildFailed` as its reason, once there is more, or once nobody can tell any more. */
  signal: AbortSignal;
}

export interface DiskWatchOptions {
  maxBytes?: number;
  /** How often folders are measured where nothing grows. */
  everyMs?: number;
  /** The processes of the build: what they keep open takes room too, though no folder has it any more. */
  members?: () => readonly number[];
  /** Of the file system on which a folder is. */
  readSpace?: (folder: string) => Promise<Space>;
  /** What folders take together. */
  measure?: (folders: readonly string[], signal: AbortSignal) => Promise<number>;
  /** A look failed, the first of several: a sentence for who reads the build's log. */
  onTrouble?: (sentence: string) => void;
}

/** File systems rarely can limit a folder, so that it is measured now and then. */
export function watchDisk(folders: readonly string[], options: DiskWatchOptions = {}): DiskWatch {
  const full = new AbortController();
  const over = new AbortController();
  const watching = { folders, full, over: over.signal, room: createRoom() };
  void lookAtFolders(options, watching);
  for (const folder of folders) void lookAtSpace(folder, options, watching);
  return { signal: full.signal, [Symbol.dispose]: () => over.abort() };
}

interface Watching {
  folders: readonly string[];
  full: AbortController;
  over: AbortSignal;
  room: Room;
}

async function lookAtFolders(
  { maxBytes = MAX_BUILD_BYTES, everyMs = CALM.everyMs, members = () => [], ...options }: DiskWatchOptions,
  watching: Watching,
): Promise<void> {
  const { folders, full, over, room } = watching;
  const { measure = measureFolders } = options;
  const forgiving = createPatience(options, watching);
  let [measuredAt, tookMs] = [performance.now(), 0];
  const isDue = () => {
    const hasGrown = room.taken() > maxBytes * HURRY.growth;
    const waitMs = hasGrown ? tookMs / HURRY.share : Math.max(everyMs, tookMs / CALM.share);
    return performance.now() - measuredAt >= waitMs;
  };
  const look = async () => {
    const [named, held] = await Promise.all([measure(folders, over), heldBytes(members(), over)]);
    if (named + held > maxBytes) full.abort(tookTooMuch(maxBytes));
  };
  await again(Math.min(everyMs, SPACE_LOOK_MS), watching, async () => {
    if (!isDue()) return;
    const startedAt = performance.now();
    room.startAgain();
    await forgiving(look);
    measuredAt = performance.now();
    tookMs = measuredAt - startedAt;
  });
}

/** Whatever it is that takes the room: a full disk would stop everything on this machine. */
async function lookAtSpace(folder: string, options: DiskWatchOptions, watching: Watching): Promise<void> {
  const { readSpace = spaceOf } = options;
  const forgiving = createPatience(options, watching);
  let first: number | undefined;
  const look = async () => {
    const space = await readSpace(folder);
    const { freeBytes } = space;
    watching.room.note(folder, freeBytes);
    first ??= freeBytes;
    const reserve = reserveOf(space);
    if (freeBytes < reserve && freeBytes < first) watching.full.abort(leftTooLittle(reserve));
  };
  await forgiving(look);
  await again(SPACE_LOOK_MS, watching, () => forgiving(look));
}

async function again(everyMs: number, { full, over }: Watching, look: () => Promise<void>): Promise<void> {
  while (!full.signal.aborted && !over.aborted) {
    await delay(everyMs, null, { signal: over }).catch(() => {});
    if (!over.aborted) await look();
  }
}

/** How much less is free than when folders were measured last, whoever took it. */
interface Room {
  note(folder: string, freeBytes: number): void;
  taken(): number;
  startAgain(): void;
}

function createRoom(): Room {
  const free = new Map<string, { before: number; now: number }>();
  return {
    note: (folder, now) => void free.set(folder, { before: free.get(folder)?.before ?? now, now }),
    taken: () => Math.max(0, ...Array.from(free.values(), ({ before, now }) => before - now)),
    startAgain: () => free.forEach((space) => (space.before = space.now)),
  };
}

/** Forgives what fails by chance; tells of the first in a row, and ends the build after the last. */
function createPatience({ onTrouble = () => {} }: DiskWatchOptions, { folders, full, over }: Watching) {
  let failures = 0;
  return async (look: () => Promise<void>): Promise<void> => {
    try {
      await look();
      failures = 0;
    } catch (error) {
      if (over.aborted) return;
      failures += 1;
      const why = withoutPlaces((error as Error).message, folders);
      if (failures === 1) onTrouble(`What the build writes cannot be measured: ${why}.`);
      if (failures === MAX_FAILURES) full.abort(cannotTell(why));
    }
  };
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

function cannotTell(why: string): BuildFailed {
  return new BuildFailed(
    `What the build writes could not be measured ${MAX_FAILURES} times in a row, so that it was stopped: ${why}. ` +
      'Let it leave its folders readable and in their places; if it does, the operator has to look.',
  );
}

/** Where folders lie on this machine is nothing for the log of a build. */
function withoutPlaces(message: string, folders: readonly string[]): string {
  return folders.reduce((text, folder) => text.replaceAll(`${folder}/`, '').replaceAll(folder, '.'), message);
}

import { mkdir, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { valid } from 'semver';
import { run } from '../../lib/exec.ts';
import { lock } from '../../lib/file-lock.ts';
import { removeTree } from '../../lib/remove-tree.ts';
import { makeDraft } from './draft-of-tool.ts';

export interface ToolToKeep {
  /** Of all versions of the tool. */
  folder: string;
  /** An exact version, a major, a range; `latest`. */
  version: string;
  signal: AbortSignal;
  /** Installs it into the folder, and returns which version it is. */
  install: (draft: string) => Promise<string>;
}

/** A major's newest release is looked for again after this long. */
const FRESH_MS = 7 * 24 * 3600 * 1000;
const LOCK_MS = 10 * 60 * 1000;
/** Use is noted once in so long: those used longest ago go first, and none that a build has just chosen. */
export const NOTED_MS = 30 * 60 * 1000;

/**
 * The folder of a tool, named after its version. Installed at the first use, beside its final place, and moved
 * there whole.
 */
export async function keepTool(wanted: ToolToKeep): Promise<string> {
  const { folder } = wanted;
  const pointer = join(folder, `${encodeURIComponent(wanted.version)}.json`);
  const known = await readPointer(pointer);
  if (known && isGood(known, wanted) && known.isNoted) return known.path;
  await mkdir(folder, { recursive: true, mode: 0o755 });
  if (known && isGood(known, wanted) && (await noteUse(folder, known.path))) return known.path;
  // Only who wants the same waits for an install.
  const unlock = await lock(`${lockOf(folder)}-${encodeURIComponent(wanted.version)}`, LOCK_MS);
  try {
    const since = await readPointer(pointer);
    if (since && isGood(since, wanted) && (await noteUse(folder, since.path))) return since.path;
    return await renew(wanted, pointer, since);
  } finally {
    unlock();
  }
}

/** False when it has been evicted: what is evicted is chosen and removed under this lock. */
function noteUse(folder: string, path: string): Promise<boolean> {
  return whileLocked(folder, async () => {
    if (!(await stat(path).catch(() => null))) return false;
    await utimes(path, new Date(), new Date());
    return true;
  });
}

async function whileLocked<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const unlock = await lock(lockOf(folder), LOCK_MS);
  try {
    return await work();
  } finally {
    unlock();
  }
}

/** Of the versions that are there; held for a moment at a time, or while one is removed. */
export const lockOf = (folder: string): string => join(folder, 'lock');

/** An exact version never has a newer release. */
function isGood({ isFresh }: Pointer, { version }: ToolToKeep): boolean {
  return isFresh || valid(version) !== null;
}

/** Where the registry cannot be reached, what is there will do. */
async function renew(wanted: ToolToKeep, pointer: string, since: Pointer | null): Promise<string> {
  try {
    return await install(wanted, pointer);
  } catch (error) {
    if (!since || wanted.signal.aborted || !(await noteUse(wanted.folder, since.path))) throw error;
    await writePointer(pointer, since.path);
    return since.path;
  }
}

async function install({ folder, install: installInto }: ToolToKeep, pointer: string): Promise<string> {
  const draft = await makeDraft(folder);
  try {
    const path = join(folder, await installInto(draft));
    await run(['chmod', '-R', 'a+rX', '--', draft], { env: { PATH: '/usr/bin:/bin' } });
    return await whileLocked(folder, async () => {
      // Another wish may have led to the same version.
      if (!(await stat(path).catch(() => null))) await rename(draft, path);
      await utimes(path, new Date(), new Date());
      await writePointer(pointer, path);
      return path;
    });
  } finally {
    await removeTree(draft);
  }
}

interface Pointer {
  path: string;
  /** The newest of what is asked for, as of lately. */
  isFresh: boolean;
  /** That it is in use. */
  isNoted: boolean;
}

export async function readPointer(pointer: string): Promise<Pointer | null> {
  try {
    const { path } = JSON.parse(await readFile(pointer, 'utf8')) as { path: string };
    return { path, isFresh: (await ageOf(pointer)) < FRESH_MS, isNoted: (await ageOf(path)) < NOTED_MS };
  } catch {
    return null;
  }
}

async function ageOf(path: string): Promise<number> {
  return Date.now() - (await stat(path)).mtimeMs;
}

async function writePointer(pointer: string, path: string): Promise<void> {
  const draft = `${pointer}.${process.pid}`;
  await writeFile(draft, JSON.stringify({ path }));
  await rename(draft, pointer);
}

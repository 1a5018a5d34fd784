import { lstat, mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { run } from '../../lib/exec.ts';
import { removeTree } from '../../lib/remove-tree.ts';
import { reachDisk } from './reach-disk.ts';

/** The installed packages of one lock file, kept: `0`, `1` … beside `entry.json`, without which they are nothing. */
export interface InstalledTrees {
  folder: string;
  /** Where each belongs, relative to the project's files: `node_modules`, `packages/a/node_modules`. */
  places: string[];
}

interface Entry {
  places: string[];
  sizeBytes: number;
}

/** Null when there are none, or they do not fit into these files. */
export async function findInstalledTrees(folder: string, source: string): Promise<InstalledTrees | null> {
  try {
    const { places } = JSON.parse(await readFile(join(folder, 'entry.json'), 'utf8')) as Entry;
    for (const place of places) if (!(await isVacant(source, place))) return null;
    const now = new Date();
    await utimes(join(folder, 'entry.json'), now, now);
    return { folder, places };
  } catch {
    return null;
  }
}

/**
 * Moves what an install made into the cache, where nobody finds it before it is confirmed. Null when it made nothing to
 * keep.
 */
export async function keepInstalledTrees(folder: string, source: string, root: string): Promise<InstalledTrees | null> {
  const places = await findPlaces(source, root);
  if (places.length === 0) return null;
  await rm(join(folder, 'entry.json'), { force: true });
  await removeTree(folder);
  await mkdir(folder, { recursive: true, mode: 0o755 });
  for (const [index, place] of places.entries()) await rename(join(source, place), join(folder, String(index)));
  return { folder, places };
}

/** From now on later builds find it. On the disk first: half a package would fail each of them. */
export async function confirmInstalledTrees({ folder, places }: InstalledTrees): Promise<void> {
  await reachDisk(folder);
  const entry: Entry = { places, sizeBytes: await measure(folder) };
  await writeFile(join(folder, 'entry.new'), JSON.stringify(entry));
  await rename(join(folder, 'entry.new'), join(folder, 'entry.json'));
}

/** Links are never followed, so that nothing outside the project is ever moved. */
async function findPlaces(source: string, folder: string): Promise<string[]> {
  if (!(await isPlainFolder(source, folder))) return [];
  const entries = await readdir(join(source, folder), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory() && entry.name !== '.git');
  const nested = await Promise.all(
    folders.map(({ name }) =>
      name === 'node_modules' ? Promise.resolve([join(folder, name)]) : findPlaces(source, join(folder, name)),
    ),
  );
  return nested.flat();
}

/** Nothing is there, least of all a link, and its parent is a folder of the project. */
async function isVacant(source: string, place: string): Promise<boolean> {
  if (!(await isPlainFolder(source, dirname(place)))) return false;
  return (await lstat(join(source, place)).catch(() => null)) === null;
}

/** Whether a path of the project leads to a folder without passing a link. */
export async function isPlainFolder(source: string, path: string): Promise<boolean> {
  const parts = path === '.' ? [] : path.split('/').filter(Boolean);
  for (let count = 0; count <= parts.length; count++) {
    const status = await lstat(join(source, ...parts.slice(0, count))).catch(() => null);
    if (!status?.isDirectory()) return false;
  }
  return true;
}

const MEASURE_MS = 600_000;

/** In bytes. What cannot be measured is too large. */
export async function measure(path: string): Promise<number> {
  const { stdout } = await run(['du', '-sk', '--', path], { env: { PATH: '/usr/bin:/bin' }, timeoutMs: MEASURE_MS });
  const kibibytes = Number.parseInt(stdout, 10);
  return Number.isNaN(kibibytes) ? Infinity : kibibytes * 1024;
}

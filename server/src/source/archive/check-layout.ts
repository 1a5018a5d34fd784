import type { Breathe } from '../../lib/breather.ts';
import type { ArchiveEntry } from './archive-entry.ts';
import type { ArchiveDirectory } from './read-directory.ts';
import { quote, refuseArchive } from './refuse-archive.ts';

/** What a Mac adds by itself, and no project means; and the folder that everything is in, which some tools list. */
export function isJunk(path: string): boolean {
  if (path === '.') return true;
  return path === '__MACOSX' || path.startsWith('__MACOSX/') || path === '.DS_Store' || path.endsWith('/.DS_Store');
}

/** In the order in which they lie in the archive: one after another, none within another (the "better zip bomb"). */
export function placeEntries({ entries, start }: ArchiveDirectory): ArchiveEntry[] {
  const inOrder = entries.toSorted((a, b) => a.start - b.start);
  return inOrder.map((entry, index) => {
    const limit = inOrder[index + 1]?.start ?? start;
    if (entry.minimalEnd > limit) throw overlapping();
    return { ...entry, limit };
  });
}

export const overlapping = () =>
  refuseArchive('Files overlap within the archive. Make the zip again with an ordinary tool.');

export interface PathLimits {
  /** Files, links and folders together, also the folders that only the names tell of. */
  maxPaths: number;
  breathe: Breathe;
}

/**
 * Where each entry goes: every path once, and folders where folders are needed. Returns the folders, outer ones first.
 */
export async function checkPaths(
  entries: readonly ArchiveEntry[],
  { maxPaths, breathe }: PathLimits,
): Promise<ReadonlySet<string>> {
  const folders = new Set<string>();
  const others = new Set<string>();
  for (const { path, kind } of entries) {
    if (kind !== 'folder' && others.has(path)) {
      throw refuseArchive(`${quote(path)} is in the archive twice. Make the zip again.`);
    }
    if (kind !== 'folder') others.add(path);
    addFolders(folders, kind === 'folder' ? path : parentOf(path));
    if (folders.size + others.size > maxPaths) throw tooMany(maxPaths);
    await breathe();
  }
  // Also what would be written through a link: the link is a path of its own, and no folder.
  for (const path of others) {
    if (!folders.has(path)) continue;
    throw refuseArchive(`${quote(path)} is in the archive both as a file or link and as a folder. Make the zip again.`);
  }
  return folders;
}

const tooMany = (maxPaths: number) =>
  refuseArchive(
    `The archive has more than ${maxPaths} files and folders, counting those that its names imply. ` +
      'Leave out what is not source, such as node_modules and build output.',
  );

function addFolders(folders: Set<string>, innermost: string): void {
  const missing: string[] = [];
  for (let folder = innermost; folder !== '' && !folders.has(folder); folder = parentOf(folder)) missing.push(folder);
  for (const folder of missing.toReversed()) folders.add(folder);
}

const parentOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** A project lies at the top, not in the one folder that zipping a folder makes. */
export function checkTop(entries: readonly ArchiveEntry[]): void {
  if (entries.every((entry) => entry.kind === 'folder')) {
    throw refuseArchive('The archive is empty. Zip the contents of the project folder.');
  }
  const top = new Set(entries.map(({ path }) => path.split('/', 1)[0]!));
  const [only = ''] = top;
  if (top.size > 1 || entries.some(({ path, kind }) => path === only && kind !== 'folder')) return;
  // A project may be nothing but what it serves: `public/index.php`.
  if (entries.some(({ path }) => /^public\/index\.(html|php)$/.test(path))) return;
  throw refuseArchive(
    `Everything in the archive lies inside one folder, ${quote(only)}. Zip the contents of that folder, not the ` +
      'folder itself, so that the project is at the top level.',
  );
}

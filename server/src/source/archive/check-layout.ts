import type { ArchiveEntry } from './archive-entry.ts';
import type { ArchiveDirectory } from './read-directory.ts';
import { quote, refuseArchive } from './refuse-archive.ts';

/** What a Mac adds by itself, and no project means. */
export function isJunk(path: string): boolean {
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

/** Where each entry goes: every path once, and folders where folders are needed. */
export function checkPaths(entries: readonly ArchiveEntry[]): void {
  const folders = new Set<string>();
  const others = new Set<string>();
  for (const { path, kind } of entries) {
    if (kind === 'folder') folders.add(path);
    else if (others.has(path)) throw refuseArchive(`${quote(path)} is in the archive twice. Make the zip again.`);
    else others.add(path);
    addFoldersAbove(folders, path);
  }
  // Also what would be written through a link: the link is a path of its own, and no folder.
  for (const path of others) {
    if (!folders.has(path)) continue;
    throw refuseArchive(`${quote(path)} is in the archive both as a file or link and as a folder. Make the zip again.`);
  }
}

function addFoldersAbove(folders: Set<string>, path: string): void {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const folder = path.slice(0, end);
    if (folders.has(folder)) return;
    folders.add(folder);
  }
}

/** A project lies at the top, not in the one folder that zipping a folder makes. */
export function checkTop(entries: readonly ArchiveEntry[]): void {
  if (entries.every((entry) => entry.kind === 'folder')) {
    throw refuseArchive('The archive is empty. Zip the contents of the project folder.');
  }
  const top = new Set(entries.map(({ path }) => path.split('/', 1)[0]!));
  const [only = ''] = top;
  if (top.size > 1 || entries.some(({ path, kind }) => path === only && kind !== 'folder')) return;
  throw refuseArchive(
    `Everything in the archive lies inside one folder, ${quote(only)}. Zip the contents of that folder, not the ` +
      'folder itself, so that the project is at the top level.',
  );
}

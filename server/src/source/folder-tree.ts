import type { Dirent } from 'node:fs';
import { constants } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { MAX_READ_BYTES, type SourceTree, type TreeEntry } from './source-tree.ts';

/** A folder on disk. A link is followed only where its end is inside the folder; everything else is not there. */
export function openFolderTree(folder: string): SourceTree {
  const root = realpath(folder);
  return {
    async list(path) {
      const real = await resolveInside(await root, path);
      if (!real) return [];
      const entries = await orAbsent(readdir(real, { withFileTypes: true }));
      const known = await Promise.all((entries ?? []).map((entry) => toTreeEntry(root, entry)));
      return known.filter((entry) => entry !== null).sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    async read(path) {
      const real = await resolveInside(await root, path);
      return real ? readStart(real) : null;
    },
  };
}

/** The real path behind a path of the tree, or null: absent, or it leads outside. */
async function resolveInside(root: string, path: string): Promise<string | null> {
  if (path.includes('\0')) return null;
  const real = await orAbsent(realpath(join(root, path)));
  return real !== null && (real === root || real.startsWith(root + sep)) ? real : null;
}

async function toTreeEntry(root: Promise<string>, entry: Dirent): Promise<TreeEntry | null> {
  if (!entry.isSymbolicLink()) return named(entry.name, entry);
  const real = await orAbsent(realpath(join(entry.parentPath, entry.name)));
  if (real === null || !real.startsWith((await root) + sep)) return null;
  const behind = await orAbsent(stat(real));
  return behind && named(entry.name, behind);
}

/** Sockets, pipes and devices are no part of a project. */
function named(name: string, what: { isFile(): boolean; isDirectory(): boolean }): TreeEntry | null {
  if (what.isDirectory()) return { name, kind: 'folder' };
  return what.isFile() ? { name, kind: 'file' } : null;
}

async function readStart(path: string): Promise<string | null> {
  // Without waiting for a writer, should the path be a pipe; without following a link that took its place.
  const file = await orAbsent(open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW));
  if (!file) return null;
  try {
    const facts = await file.stat();
    if (!facts.isFile()) return null;
    const buffer = Buffer.alloc(Math.min(facts.size, MAX_READ_BYTES));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** A tree may be half there, or hold what this user cannot open: both mean «no such file». */
async function orAbsent<T>(looked: Promise<T>): Promise<T | null> {
  try {
    return await looked;
  } catch (error) {
    const absent = ['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'EACCES', 'ENAMETOOLONG', 'ENXIO'];
    if (absent.includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

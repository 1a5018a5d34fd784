import { createBreather } from '../../lib/breather.ts';
import { MAX_READ_BYTES, type SourceTree, type TreeEntry } from '../source-tree.ts';
import type { ArchiveEntry } from './archive-entry.ts';
import type { ArchiveSource } from './archive-source.ts';
import { isSmall, readSmall, streamEntry } from './entry-data.ts';
import { readArchive, type ReadArchive } from './read-archive.ts';

/** The files of an archive that is not unpacked. Rejects with AR001 where the archive cannot be used. */
export async function openArchiveTree(source: ArchiveSource): Promise<SourceTree & AsyncDisposable> {
  const archive = await readArchive(source);
  const index = await indexOf(archive);
  return {
    async list(folder) {
      const found = archive.resolver.resolve(folder);
      return found === null ? [] : listFolder(archive, index, found);
    },
    async read(path) {
      const found = archive.resolver.resolve(path);
      const file = found === null ? undefined : index.files.get(found);
      return file ? readStart(archive, file) : null;
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

interface Index {
  files: Map<string, ArchiveEntry>;
  /** The names in each folder. */
  folders: Map<string, Set<string>>;
}

async function indexOf({ entries, folders: paths }: ReadArchive): Promise<Index> {
  const breathe = createBreather();
  const files = new Map<string, ArchiveEntry>();
  const folders = new Map<string, Set<string>>([['', new Set()]]);
  for (const path of paths) {
    folders.set(path, new Set());
    addToFolder(folders, path);
    await breathe();
  }
  for (const entry of entries) {
    if (entry.kind === 'file') files.set(entry.path, entry);
    addToFolder(folders, entry.path);
    await breathe();
  }
  return { files, folders };
}

function addToFolder(folders: ReadonlyMap<string, Set<string>>, path: string): void {
  const end = path.lastIndexOf('/');
  folders.get(path.slice(0, Math.max(end, 0)))!.add(path.slice(end + 1));
}

async function listFolder(archive: ReadArchive, index: Index, folder: string): Promise<TreeEntry[]> {
  const breathe = createBreather();
  const entries: TreeEntry[] = [];
  for (const name of [...(index.folders.get(folder) ?? [])].toSorted()) {
    const kind = kindOf(index, archive.resolver.follow(folder === '' ? name : `${folder}/${name}`));
    if (kind !== null) entries.push({ name, kind });
    await breathe();
  }
  return entries;
}

function kindOf({ files, folders }: Index, path: string | null): TreeEntry['kind'] | null {
  if (path === null) return null;
  if (folders.has(path)) return 'folder';
  return files.has(path) ? 'file' : null;
}

async function readStart({ bytes }: ReadArchive, file: ArchiveEntry): Promise<string> {
  if (isSmall(file)) return (await readSmall(bytes, file)).toString('utf8', 0, MAX_READ_BYTES);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of (await streamEntry(bytes, file)) as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= MAX_READ_BYTES) break;
  }
  return Buffer.concat(chunks).toString('utf8', 0, MAX_READ_BYTES);
}

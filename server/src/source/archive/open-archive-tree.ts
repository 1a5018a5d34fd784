import { posix } from 'node:path';
import type { SourceTree, TreeEntry } from '../source-tree.ts';
import type { ArchiveEntry } from './archive-entry.ts';
import type { ArchiveSource } from './archive-source.ts';
import { isSmall, readSmall, streamEntry } from './entry-data.ts';
import { readArchive, type ReadArchive } from './read-archive.ts';

const MAX_READ_BYTES = 1024 * 1024;
/** As many as the system follows. */
const MAX_LINKS = 40;

/** The files of an archive that is not unpacked. Rejects with AR001 where the archive cannot be used. */
export async function openArchiveTree(source: ArchiveSource): Promise<SourceTree & AsyncDisposable> {
  const archive = await readArchive(source);
  const index = indexOf(archive.entries);
  return {
    async list(folder) {
      const found = resolve(archive, index, folder);
      const names = found === null ? undefined : index.folders.get(found);
      return [...(names ?? [])].toSorted().flatMap((name) => treeEntryOf(archive, index, found!, name));
    },
    async read(path) {
      const found = resolve(archive, index, path);
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

function indexOf(entries: readonly ArchiveEntry[]): Index {
  const files = new Map<string, ArchiveEntry>();
  const folders = new Map<string, Set<string>>([['', new Set()]]);
  for (const entry of entries) {
    if (entry.kind === 'file') files.set(entry.path, entry);
    if (entry.kind === 'folder' && !folders.has(entry.path)) folders.set(entry.path, new Set());
    addToFolder(folders, entry.path);
  }
  return { files, folders };
}

function addToFolder(folders: Map<string, Set<string>>, path: string): void {
  const end = path.lastIndexOf('/');
  const [folder, name] = [path.slice(0, Math.max(end, 0)), path.slice(end + 1)];
  const known = folders.get(folder);
  if (known) return void known.add(name);
  folders.set(folder, new Set([name]));
  addToFolder(folders, folder);
}

function treeEntryOf(archive: ReadArchive, index: Index, folder: string, name: string): TreeEntry[] {
  const found = resolve(archive, index, posix.join(folder, name));
  if (found === null) return [];
  if (index.folders.has(found)) return [{ name, kind: 'folder' }];
  return index.files.has(found) ? [{ name, kind: 'file' }] : [];
}

/** The path behind a path, once every link in it is followed; null where there is none, or it leads in a circle. */
function resolve({ links }: ReadArchive, { folders }: Index, path: string): string | null {
  const rest = path.split('/');
  let found = '';
  for (let followed = 0; rest.length > 0;) {
    const part = rest.shift()!;
    if (part === '' || part === '.') continue;
    if (part === '..' && found === '') return null;
    const next = part === '..' ? posix.join(found, '..').replace(/^\.$/, '') : posix.join(found, part);
    const target = links.get(next);
    if (target === undefined) found = next;
    else if (++followed > MAX_LINKS) return null;
    else rest.unshift(...target.split('/'));
    if (rest.length > 0 && target === undefined && !folders.has(found)) return null;
  }
  return found;
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

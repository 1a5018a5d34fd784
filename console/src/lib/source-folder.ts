import type { ZipEntry } from './zip-files/zip-files.ts';

/** A folder that is looked into only when it is asked to: what is left out whole may hold a hundred thousand files. */
export interface SourceFolder {
  list(): Promise<Listing>;
}

/** Both by their names. */
export interface Listing {
  files: ReadonlyMap<string, SourceFile>;
  folders: ReadonlyMap<string, SourceFolder>;
}

export interface SourceFile {
  read(): Promise<Blob>;
}

/** The files of a form field: of a chosen folder they know where in it they are. */
export function folderOfFiles(files: Iterable<File>): SourceFolder {
  return folderOfEntries(Array.from(files, (file) => ({ path: file.webkitRelativePath || file.name, content: file })));
}

/** Of what is known whole already. */
export function folderOfEntries(entries: readonly ZipEntry[]): SourceFolder {
  const top = new KnownFolder();
  for (const { path, content } of entries) {
    const names = path.split('/');
    const name = names.pop()!;
    const folder = names.reduce((above, each) => above.within(each), top);
    folder.files.set(name, { read: () => Promise.resolve(content) });
  }
  return top;
}

/** What was dropped, the folders as they are on the disk. To be called before the event is over, which empties it. */
export function folderOfTransfer(transfer: DataTransfer): SourceFolder {
  const found = Array.from(transfer.items, (item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  // Some programs hand over files that are nowhere in a folder.
  if (found.length === 0) return folderOfFiles(transfer.files);
  return { list: () => Promise.resolve(listingOf(found)) };
}

class KnownFolder implements SourceFolder {
  readonly files = new Map<string, SourceFile>();
  readonly folders = new Map<string, KnownFolder>();

  within(name: string): KnownFolder {
    const folder = this.folders.get(name) ?? new KnownFolder();
    this.folders.set(name, folder);
    return folder;
  }

  list(): Promise<Listing> {
    return Promise.resolve(this);
  }
}

function listingOf(entries: readonly FileSystemEntry[]): Listing {
  const [files, folders] = [new Map<string, SourceFile>(), new Map<string, SourceFolder>()];
  for (const entry of entries) {
    if (isFile(entry)) files.set(entry.name, { read: () => new Promise((give, fail) => entry.file(give, fail)) });
    else folders.set(entry.name, { list: async () => listingOf(await childrenOf(entry as FileSystemDirectoryEntry)) });
  }
  return { files, folders };
}

/** Browsers give a hundred at a time, and nothing at the end. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const children: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return children;
    children.push(...some);
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

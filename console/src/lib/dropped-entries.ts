import { isNeverSent } from '@lilac/contract/source-files/judge-entry';
import type { Dropped } from './dropped-file.ts';
import { sourceOf } from './source-of.ts';
import type { ZipEntry } from './zip-files/zip-files.ts';

/** One archive as it is; anything else is packed, of a folder what is its source. */
export async function droppedOf(entries: readonly ZipEntry[]): Promise<Dropped> {
  const [first, ...others] = entries;
  if (first && others.length === 0 && isArchive(first)) {
    return { name: first.path.replace(/\.zip$/i, ''), archive: first.content };
  }
  const found = entries.filter(({ path }) => isLookedAt(path));
  const folder = commonFolder(found);
  const { files, leftOut } = await sourceOf(
    folder === null ? found : found.map((each) => ({ ...each, path: each.path.slice(folder.length + 1) })),
  );
  const [only] = found.length === 1 ? found : [];
  return { name: folder ?? only?.path.replace(/\.[^.]+$/, '') ?? 'site', files, leftOut };
}

/** Both of an archive with files and of an empty one. */
const ZIP_STARTS = ['PK\u0003\u0004', 'PK\u0005\u0006'];

/** What is called a zip may be something else, and would fail only when it is built. */
export async function isZip(file: Blob): Promise<boolean> {
  const bytes = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  return ZIP_STARTS.includes(String.fromCodePoint(...bytes));
}

/** The rules of `.lilacignore` are read, and then not sent. */
function isLookedAt(path: string): boolean {
  return path.split('/').every((part) => part === '.lilacignore' || !isNeverSent(part));
}

/** The files of a form field: of a chosen folder they know where in it they are. */
export function entriesOfFiles(files: Iterable<File>): ZipEntry[] {
  return Array.from(files, (file) => ({ path: file.webkitRelativePath || file.name, content: file }));
}

/** Folders are walked; what is never sent is not even looked into. */
export async function entriesOfTransfer(transfer: DataTransfer): Promise<ZipEntry[]> {
  const found = Array.from(transfer.items, (item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  // Some programs hand over files that are nowhere in a folder.
  if (found.length === 0) return entriesOfFiles(transfer.files);
  return (await Promise.all(found.map((entry) => walk(entry)))).flat();
}

async function walk(entry: FileSystemEntry): Promise<ZipEntry[]> {
  const path = entry.fullPath.replace(/^\//, '');
  if (!isLookedAt(path)) return [];
  if (isFile(entry)) {
    return [{ path, content: await new Promise<File>((resolve, reject) => entry.file(resolve, reject)) }];
  }
  const entries: ZipEntry[] = [];
  for (const child of await childrenOf(entry as FileSystemDirectoryEntry)) entries.push(...(await walk(child)));
  return entries;
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

function isArchive({ path }: ZipEntry): boolean {
  return !path.includes('/') && /\.zip$/i.test(path);
}

function commonFolder(entries: readonly ZipEntry[]): string | null {
  const folders = new Set(entries.map(({ path }) => (path.includes('/') ? path.split('/', 1)[0]! : null)));
  const [only] = folders;
  return folders.size === 1 ? (only ?? null) : null;
}

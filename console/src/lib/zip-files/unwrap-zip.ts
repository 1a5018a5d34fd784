import { bytesOf, type DirectoryEntry, readZipDirectory, RECORD_BYTES, viewOf } from './zip-directory.ts';

interface UnwrappedZip {
  archive: Blob;
  /** What everything lay in. */
  folder: string;
}

const HEADER_BYTES = 30;
/** Says that checksum and sizes come after the data; here they stand before it. */
const SIZES_FOLLOW = 0b1000;
const READ_AT_ONCE = 500;
/** The platform takes such a project as it is. */
const SERVED_FOLDER = /^public\/index\.(html|php)$/;

/**
 * Where everything lies in one folder, as zipping a folder makes it: the same archive without that folder. What is
 * compressed stays so, and only names change. Null where it is not so, or not clear: then it is sent as it is.
 */
export async function unwrapZip(archive: Blob): Promise<UnwrappedZip | null> {
  const entries = await readZipDirectory(archive);
  const folder = entries && findWrapper(entries.map(({ path }) => path));
  if (!folder) return null;
  const kept = entries.filter(({ path }) => path.startsWith(folder) && path !== folder);
  const headers = await readHeaders(archive, kept);
  if (kept.length === 0 || !headers) return null;
  return { archive: rewrite(archive, { kept, headers, folder }), folder: nameOf(kept[0]!, folder) };
}

/** With its slash at the end; it may be several, one in another. Null where there is none. */
export function findWrapper(paths: readonly string[]): string | null {
  if (!paths.every(isPlain)) return null;
  const wanted = paths.filter((path) => !isJunk(path));
  let folder = '';
  for (;;) {
    const within = wanted.map((path) => path.slice(folder.length)).filter((path) => path !== '');
    const tops = new Set(within.map((path) => path.slice(0, path.indexOf('/') + 1)));
    const [top] = tops;
    if (tops.size !== 1 || !top || within.some((path) => SERVED_FOLDER.test(path))) return folder || null;
    folder += top;
  }
}

/** What a Mac adds by itself, and no project means. */
function isJunk(path: string): boolean {
  return path.startsWith('__MACOSX/') || path === '.DS_Store' || path.endsWith('/.DS_Store');
}

function isPlain(path: string): boolean {
  const parts = path.replace(/\/$/, '').split('/');
  return !path.includes('\\') && !parts.some((part) => ['', '.', '..'].includes(part));
}

/** The headers that stand before the data of each; null where one is not as the list says. */
async function readHeaders(archive: Blob, entries: readonly DirectoryEntry[]): Promise<Header[] | null> {
  const headers: Header[] = [];
  for (let from = 0; from < entries.length; from += READ_AT_ONCE) {
    const some = entries.slice(from, from + READ_AT_ONCE);
    headers.push(...(await Promise.all(some.map(({ start }) => bytesOf(archive.slice(start, start + HEADER_BYTES))))));
  }
  return headers.every((header, index) => isHeaderOf(entries[index]!, header)) ? headers : null;
}

type Header = Uint8Array<ArrayBuffer>;

function isHeaderOf({ path }: DirectoryEntry, header: Header): boolean {
  if (header.length < HEADER_BYTES) return false;
  const view = viewOf(header);
  return view.getUint32(0, true) === 0x04_03_4b_50 && view.getUint16(26, true) === path.length;
}

interface Rewriting {
  kept: readonly DirectoryEntry[];
  headers: readonly Header[];
  folder: string;
}

function rewrite(archive: Blob, { kept, headers, folder }: Rewriting): Blob {
  const files: BlobPart[] = [];
  const directory: BlobPart[] = [];
  let start = 0;
  let size = 0;
  for (const [index, entry] of kept.entries()) {
    const record = renamedRecord(entry, { cut: folder.length, start });
    const header = renamedHeader(record, headers[index]!);
    const name = record.subarray(RECORD_BYTES, RECORD_BYTES + entry.path.length - folder.length);
    const data = archive.slice(...dataOf(entry, headers[index]!));
    files.push(header, name, data);
    directory.push(record);
    start += header.length + name.length + data.size;
    size += record.length;
  }
  const end = endRecord({ count: kept.length, size, start });
  return new Blob([...files, ...directory, end], { type: 'application/zip' });
}

function renamedRecord({ record, path }: DirectoryEntry, { cut, start }: { cut: number; start: number }): Header {
  const renamed = new Uint8Array(record.length - cut);
  renamed.set(record.subarray(0, RECORD_BYTES));
  renamed.set(record.subarray(RECORD_BYTES + cut), RECORD_BYTES);
  const view = viewOf(renamed);
  view.setUint16(8, view.getUint16(8, true) & ~SIZES_FOLLOW, true);
  view.setUint16(28, path.length - cut, true);
  view.setUint32(42, start, true);
  return renamed;
}

/** As it was, with what the record tells: flags, checksum, sizes and the length of the name. */
function renamedHeader(record: Header, header: Header): Header {
  const renamed = header.slice();
  renamed.set(record.subarray(8, 10), 6);
  renamed.set(record.subarray(16, 30), 14);
  return renamed;
}

/** With the fields between name and data. */
function dataOf({ start, path, compressedSize }: DirectoryEntry, header: Header): [from: number, to: number] {
  const from = start + HEADER_BYTES + path.length;
  return [from, from + viewOf(header).getUint16(28, true) + compressedSize];
}

function endRecord({ count, size, start }: { count: number; size: number; start: number }): Header {
  const end = new Uint8Array(22);
  const view = viewOf(end);
  view.setUint32(0, 0x06_05_4b_50, true);
  view.setUint16(8, count, true);
  view.setUint16(10, count, true);
  view.setUint32(12, size, true);
  view.setUint32(16, start, true);
  return end;
}

/** For people: as it is written in most archives. */
function nameOf({ record }: DirectoryEntry, folder: string): string {
  return new TextDecoder().decode(record.subarray(RECORD_BYTES, RECORD_BYTES + folder.length - 1));
}

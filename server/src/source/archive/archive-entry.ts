import type { Entry } from 'yauzl';
import { nameOf } from './entry-name.ts';
import { quote, refuseArchive } from './refuse-archive.ts';

/** One thing in an archive, as its directory at the end tells it. */
export interface ArchiveEntry {
  /** Relative with forward slashes and without one at the end. */
  path: string;
  kind: 'file' | 'folder' | 'link';
  isExecutable: boolean;
  /** Unpacked, as the archive says. */
  size: number;
  compressedSize: number;
  isDeflated: boolean;
  crc: number;
  /** Where its local header begins. */
  start: number;
  /** Where it ends at the earliest; only its local header says how much later. */
  minimalEnd: number;
  /** Where it must have ended: what comes next begins here. */
  limit: number;
}

const LOCAL_HEADER_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;

/** Refuses what cannot be a file, a folder or a link that we could unpack. */
export function entryOf(entry: Entry): ArchiveEntry {
  const name = nameOf(entry);
  const path = name.endsWith('/') ? name.slice(0, -1) : name;
  const { compressionMethod: method, relativeOffsetOfLocalHeader: start } = entry;
  if (entry.isEncrypted()) throw refuseArchive('The archive is encrypted. Make a zip without a password.');
  if (method !== STORED && method !== DEFLATED) {
    throw refuseArchive(
      `${quote(path)} is compressed by a method that is not supported (${method}). ` +
        'Make the zip with the ordinary one, deflate.',
    );
  }
  const mode = entry.externalFileAttributes >>> 16;
  return {
    path,
    kind: kindOf(name, mode),
    isExecutable: (mode & 0o100) !== 0,
    size: entry.uncompressedSize,
    compressedSize: entry.compressedSize,
    isDeflated: method === DEFLATED,
    crc: entry.crc32,
    start,
    limit: Number.POSITIVE_INFINITY,
    minimalEnd: start + LOCAL_HEADER_BYTES + entry.fileNameLength + entry.compressedSize,
  };
}

const FILE_TYPE = 0o170000;

/** Whatever system made the archive: on those without file types these bits are empty. */
function kindOf(name: string, mode: number): ArchiveEntry['kind'] {
  const type = mode & FILE_TYPE;
  if (type === 0o040000 || (name.endsWith('/') && [0, 0o100000].includes(type))) return 'folder';
  if (type === 0 || type === 0o100000) return 'file';
  if (type === 0o120000 && !name.endsWith('/')) return 'link';
  throw refuseArchive(`${quote(name)} is a device, a pipe or a socket. Leave it out of the zip.`);
}

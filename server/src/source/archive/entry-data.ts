import { pipeline, Readable } from 'node:stream';
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import type { ArchiveBytes } from './archive-bytes.ts';
import type { ArchiveEntry } from './archive-entry.ts';
import { overlapping } from './check-layout.ts';
import { damaged, quote, refuseArchive } from './refuse-archive.ts';

/** So small that unpacking it in one piece holds nobody up for long. */
const SMALL_BYTES = 2 * 1024 * 1024;

export const isSmall = (entry: ArchiveEntry): boolean =>
  entry.size <= SMALL_BYTES && entry.compressedSize <= SMALL_BYTES;

/** A small entry, unpacked and compared with what the archive says of it. */
export async function readSmall(bytes: ArchiveBytes, entry: ArchiveEntry): Promise<Buffer> {
  const start = await dataStartOf(bytes, entry);
  const packed = await bytes.read(start, entry.compressedSize);
  if (packed.length !== entry.compressedSize) throw damaged('data beyond the end');
  const content = entry.isDeflated ? inflate(packed, entry) : packed;
  if (content.length !== entry.size || crc32(content) !== entry.crc) throw isNotWhatItSays(entry);
  return content;
}

/** Any entry, piece by piece; it fails as soon as it is seen not to be what the archive says. */
export async function streamEntry(bytes: ArchiveBytes, entry: ArchiveEntry): Promise<Readable> {
  const start = await dataStartOf(bytes, entry);
  const packed = bytes.stream(start, start + entry.compressedSize);
  // Whoever reads the last of a pipeline is told what went wrong in any part of it.
  const unpacked = entry.isDeflated ? pipeline(packed, createInflateRaw(), () => {}) : packed;
  return Readable.from(checked(unpacked, entry), { objectMode: false });
}

function inflate(packed: Buffer, entry: ArchiveEntry): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(entry.size, 1) });
  } catch {
    throw isNotWhatItSays(entry);
  }
}

async function* checked(chunks: Readable, entry: ArchiveEntry): AsyncIterable<Buffer> {
  let size = 0;
  let crc = 0;
  try {
    for await (const chunk of chunks as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > entry.size) throw isNotWhatItSays(entry);
      crc = crc32(chunk, crc);
      yield chunk;
    }
  } catch (error) {
    throw isZlibError(error) ? isNotWhatItSays(entry) : error;
  }
  if (size !== entry.size || crc !== entry.crc) throw isNotWhatItSays(entry);
}

const isZlibError = (error: unknown) => String((error as NodeJS.ErrnoException).code).startsWith('Z_');

const LOCAL_HEADER_BYTES = 30;
const LOCAL_HEADER_SIGNATURE = 0x04034b50;

/** Only the local header tells how long it is itself. */
async function dataStartOf(bytes: ArchiveBytes, entry: ArchiveEntry): Promise<number> {
  const header = await bytes.read(entry.start, LOCAL_HEADER_BYTES);
  if (header.length < LOCAL_HEADER_BYTES || header.readUInt32LE() !== LOCAL_HEADER_SIGNATURE) {
    throw damaged('no local header where one should be');
  }
  const start = entry.start + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
  if (start + entry.compressedSize > entry.limit) throw overlapping();
  return start;
}

const isNotWhatItSays = (entry: ArchiveEntry) =>
  refuseArchive(`${quote(entry.path)} is damaged in the archive. Make the zip again and upload it whole.`);

import { createHash, hash, webcrypto } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { copyFile, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { PackRefused } from './pack-refused.ts';
import type { OutputFile } from './walk-output.ts';

export interface HashedFile extends OutputFile {
  /** SHA-256 in hex. */
  hash: string;
  size: number;
}

export interface SizeLimits {
  maxFileBytes: number;
  maxTotalBytes: number;
}

export interface HashOptions extends SizeLimits {
  /** For copies; made when needed. */
  staging: string;
  breathe: () => Promise<void> | undefined;
  signal: AbortSignal;
}

/** Up to here a file is read at once where it is met: handing it to a thread costs more than reading it. */
const SMALL_BYTES = 64 * 1024;
/** Up to here it is read whole and hashed by a thread; beyond, piece by piece. */
const MEDIUM_BYTES = 8 * 1024 * 1024;
const PIECE_BYTES = 1024 * 1024;
/** Medium and large files at a time: as many as there are threads. */
const LANES = 4;
const PLAIN = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Hashes every file once. Throws `PackRefused` where a file is too large or cannot be read. */
export async function hashOutput(files: readonly OutputFile[], options: HashOptions): Promise<HashedFile[]> {
  const hashed: HashedFile[] = [];
  const larger: Measured[] = [];
  const buffer = Buffer.allocUnsafe(SMALL_BYTES);
  const total = { bytes: 0, copies: 0 };
  for (const file of files) {
    const found = readSmall(file, buffer) ?? readSmall(await copyAside(file, total.copies++, options), buffer)!;
    assertSize(found, total, options);
    if (found.hash === null) larger.push(found);
    else hashed.push({ ...found, hash: found.hash });
    await options.breathe();
  }
  return [...hashed, ...(await hashLarger(larger, options.signal))];
}

interface Measured extends OutputFile {
  /** Null: it is larger than what is read at once. */
  hash: string | null;
  size: number;
}

async function copyAside(file: OutputFile, number: number, { staging }: HashOptions): Promise<OutputFile> {
  await mkdir(staging, { recursive: true, mode: 0o700 });
  const source = join(staging, String(number));
  await copyFile(file.source, source, constants.COPYFILE_FICLONE);
  return { ...file, source };
}

/**
 * Null where the file has another name: through that a build could change it after it was hashed, and so
 * put other bytes under a hash that somebody else's file has. Of such a file a copy is hashed and kept.
 */
function readSmall(file: OutputFile, buffer: Buffer): Measured | null {
  return look(file, ({ size, nlink }, descriptor) => {
    if (nlink > 1) return null;
    if (size > buffer.length) return { ...file, size, hash: null };
    const read = readSync(descriptor, buffer, 0, buffer.length, 0);
    return { ...file, size: read, hash: hash('sha256', buffer.subarray(0, read), 'hex') };
  });
}

function look<T>(file: OutputFile, use: (stats: Stats, descriptor: number) => T): T {
  const descriptor = openPlain(file);
  try {
    return use(fstatSync(descriptor), descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function openPlain({ path, source }: OutputFile): number {
  try {
    return openSync(source, PLAIN);
  } catch (error) {
    throw new PackRefused(`${path} of the output cannot be read. Make it readable in the build.`, { cause: error });
  }
}

function assertSize({ path, size }: Measured, total: { bytes: number }, limits: SizeLimits): void {
  if (size > limits.maxFileBytes) {
    throw new PackRefused(
      `${path} is larger than ${inWords(limits.maxFileBytes)}. Serve files of that size from a store of their own.`,
    );
  }
  total.bytes += size;
  if (total.bytes > limits.maxTotalBytes) {
    throw new PackRefused(
      `The output is larger than ${inWords(limits.maxTotalBytes)} in all. ` +
        'Check that the output directory is the built site, and move large files elsewhere.',
    );
  }
}

function inWords(bytes: number): string {
  const gigabytes = bytes / 1024 ** 3;
  return gigabytes >= 1 ? `${gigabytes} GiB` : `${bytes.toLocaleString('en')} bytes`;
}

async function hashLarger(files: readonly Measured[], signal: AbortSignal): Promise<HashedFile[]> {
  const hashed: HashedFile[] = [];
  const rest = files.values();
  const lane = async () => {
    for (const file of rest) {
      signal.throwIfAborted();
      hashed.push({ ...file, ...(await hashFile(file, signal)) });
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return hashed;
}

async function hashFile({ source, size }: Measured, signal: AbortSignal): Promise<{ hash: string; size: number }> {
  await using handle = await open(source, PLAIN);
  if (size <= MEDIUM_BYTES) {
    const bytes = await handle.readFile();
    const digest = await webcrypto.subtle.digest('SHA-256', bytes);
    return { hash: Buffer.from(digest).toString('hex'), size: bytes.length };
  }
  const hasher = createHash('sha256');
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  let at = 0;
  for (let { bytesRead } = await handle.read(piece); bytesRead > 0; { bytesRead } = await handle.read(piece)) {
    signal.throwIfAborted();
    hasher.update(piece.subarray(0, bytesRead));
    at += bytesRead;
  }
  return { hash: hasher.digest('hex'), size: at };
}

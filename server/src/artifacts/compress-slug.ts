import { createHash, type Hash } from 'node:crypto';
import { constants, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants as zlib, createZstdCompress, type ZstdCompress } from 'node:zlib';
import { PackRefused } from './pack-refused.ts';

export interface CompressRequest {
  /** The archive. Whoever made it is not trusted: a link in its place is not followed. */
  from: string;
  to: string;
  maxBytes: number;
  signal: AbortSignal;
}

export interface CompressedSlug {
  /** Of the compressed bytes. */
  hash: string;
  compressedSize: number;
  unpackedSize: number;
}

/** Higher levels save little of what is mostly JavaScript and binaries, and cost seconds of every build. */
const LEVEL = 1;
const CHUNK_BYTES = 1024 * 1024;

/** Memory is bounded, however large the archive. */
export async function compressSlug({ from, to, maxBytes, signal }: CompressRequest): Promise<CompressedSlug> {
  await using archive = await open(from, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const status = await archive.stat();
  if (!status.isFile()) throw new PackRefused('The build left something else where its files were to be packed.');
  if (status.size > maxBytes) throw tooLarge(maxBytes);
  const bytes = archive.createReadStream({ highWaterMark: CHUNK_BYTES, autoClose: false });
  return await compressBytesTo({ bytes, to, maxBytes, signal, tooLarge });
}

export interface CompressBytesRequest extends Omit<CompressRequest, 'from'> {
  bytes: Readable;
  /** What is said of more. */
  tooLarge(maxBytes: number): Error;
}

/** The same of what comes from elsewhere, and is of a size that nobody knows before. */
export async function compressBytesTo(request: CompressBytesRequest): Promise<CompressedSlug> {
  const { bytes, to, maxBytes, signal } = request;
  const hash = createHash('sha256');
  const unpacked = counting((total) => (total > maxBytes ? request.tooLarge(maxBytes) : null));
  const compressed = counting(() => null, hash);
  const file = createWriteStream(to, { flags: 'wx', mode: 0o600 });
  await pipeline(bytes, unpacked.stream, createSlugCompressor(), compressed.stream, file, { signal });
  return { hash: hash.digest('hex'), compressedSize: compressed.total(), unpackedSize: unpacked.total() };
}

/** For whatever is unpacked beside slugs, and by the same code. */
export const createSlugCompressor = (): ZstdCompress =>
  createZstdCompress({
    chunkSize: CHUNK_BYTES,
    params: { [zlib.ZSTD_c_compressionLevel]: LEVEL, [zlib.ZSTD_c_checksumFlag]: 1 },
  });

function counting(check: (total: number) => Error | null, hash?: Hash) {
  let total = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      total += chunk.length;
      hash?.update(chunk);
      done(check(total), chunk);
    },
  });
  return { stream, total: () => total };
}

export function tooLarge(maxBytes: number): PackRefused {
  const gibibytes = maxBytes / 1024 ** 3;
  const limit = gibibytes >= 1 ? `${Number(gibibytes.toFixed(1))} GiB` : `${Math.round(maxBytes / 1024 ** 2)} MiB`;
  return new PackRefused(
    `The built project with its packages is larger than ${limit}. Name what is not needed to run it in a file ` +
      '.slugignore at the top of the project, a pattern a line, or let the build remove it.',
  );
}

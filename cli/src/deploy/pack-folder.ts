import { randomUUID } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { StreamedSource } from '@lilac/sdk';
import { ZipFile } from 'yazl';
import { GaveUp } from '../frame/gave-up.ts';
import { byteSize } from '../terminal/byte-size.ts';
import { plainText } from '../terminal/printable.ts';
import type { FileList, PackedFile } from './list-files.ts';

/** A zip that has no name: it goes with the process, however that ends. A piece of it is to be used before the next. */
export interface PackedFolder extends StreamedSource, AsyncDisposable {}

export interface PackOptions {
  /** More is not packed to its end: the platform would refuse it. */
  maxBytes?: number | undefined;
  onProgress?: ((packedBytes: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** In every time zone the same: a zip keeps the time of the wall. */
const NO_TIME = new Date(2000, 0, 1);
const FILE = 0o100644;
const PROGRAM = 0o100755;
const LINK = 0o120777;

/** The same files give the same bytes. Read and written piece by piece, so that memory stays flat. */
export async function packFolder(list: FileList, options: PackOptions = {}): Promise<PackedFolder> {
  const file = await openNameless();
  try {
    await pipeline(
      zipOf(list, options.onProgress),
      (pieces) => within(options.maxBytes, pieces as AsyncIterable<Buffer>),
      async (pieces: AsyncIterable<Buffer>) => {
        for await (const piece of pieces) await file.writeFile(piece);
      },
      { signal: options.signal },
    );
    const { size } = await file.stat();
    return {
      size,
      stream: () => piecesOf(file, size),
      [Symbol.asyncDispose]: () => file.close(),
    };
  } catch (error) {
    await file.close();
    options.signal?.throwIfAborted();
    throw explained(error);
  }
}

/** Its name is gone as soon as it is open. */
async function openNameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `lilac-${randomUUID()}.zip`);
  const file = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600).catch((error) => {
    throw explained(error);
  });
  await unlink(path);
  return file;
}

function zipOf({ root, files }: FileList, onProgress: PackOptions['onProgress']): NodeJS.ReadableStream {
  const zip = new ZipFile();
  const output = zip.outputStream as NodeJS.ReadableStream & { destroy(error: Error): void };
  let packedBytes = 0;
  zip.on('error', (error: Error) => output.destroy(error));
  for (const file of files) add(file);
  zip.end();
  return output;

  function add(file: PackedFile): void {
    const usual = { mtime: NO_TIME, forceDosTimestamp: true };
    if ('target' in file) return zip.addBuffer(Buffer.from(file.target), file.path, { ...usual, mode: LINK });
    const mode = file.isExecutable ? PROGRAM : FILE;
    zip.addReadStreamLazy(file.path, { ...usual, mode, size: file.size }, (give) => {
      // No link that took the place of the file since is followed.
      const flags = constants.O_RDONLY | constants.O_NOFOLLOW;
      const bytes = createReadStream(join(root, file.path), { flags: flags as unknown as string });
      bytes.on('data', (piece) => onProgress?.((packedBytes += piece.length)));
      bytes.on('error', (error) => zip.emit('error', error));
      // What grew or shrank since it was listed is found by the library too, which does not say which it was.
      bytes.on('end', () => bytes.bytesRead !== file.size && zip.emit('error', new ChangedFile(file.path)));
      give(null, bytes);
    });
  }
}

async function* within(maxBytes = Infinity, pieces: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    yield piece;
  }
}

const tooLarge = (maxBytes: number) =>
  new GaveUp(
    `Packed, this folder is larger than the ${byteSize(maxBytes)} that the platform takes. Name what is not source, ` +
      'such as build output and data, in .lilacignore.',
  );

const PIECE_BYTES = 256 * 1024;
const PIECES = 4;

/**
 * By position: it may be asked for again, and the file's own place must not matter. The pieces are used over and over,
 * for what is freed only some time later would add up to the whole; whoever sends them asks for the next one when the
 * one before is sent.
 */
async function* piecesOf(file: FileHandle, size: number): AsyncIterable<Uint8Array> {
  const buffers = Array.from({ length: PIECES }, () => Buffer.alloc(PIECE_BYTES));
  for (let [position, turn] = [0, 0]; position < size; turn = (turn + 1) % PIECES) {
    const { buffer, bytesRead } = await file.read(buffers[turn]!, 0, PIECE_BYTES, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

class ChangedFile extends Error {}

/** What the file system says, for people. */
function explained(error: unknown): unknown {
  const { code, path, message } = error as NodeJS.ErrnoException;
  if (error instanceof ChangedFile)
    return new GaveUp(`"${plainText(message)}" was changed while it was packed. Try again when nothing writes to it.`);
  if (code === 'ENOSPC')
    return new GaveUp(
      `There is no room for the packed folder in ${tmpdir()}. Make room, or set TMPDIR to a larger disk.`,
    );
  if (code && path)
    return new GaveUp(`${plainText(path)} cannot be read (${code}). Mend that, or name it in .lilacignore.`);
  return error;
}

import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export interface BlobFetch {
  source: Readable;
  /** SHA-256 of what should come, in hex. */
  hash: string;
  size: number;
  /** Where it will lie: whole, or not at all. */
  path: string;
  /** A folder on the same disk, for what is on its way in. */
  incoming: string;
  /** A source that gives nothing for this long is given up. */
  stallMs: number;
}

/** Brings a file here, and keeps it only when it is what its name says. */
export async function fetchBlob({ source, hash, size, path, incoming, stallMs }: BlobFetch): Promise<void> {
  const draft = await draftIn(incoming);
  try {
    const checked = (chunks: AsyncIterable<Buffer>) => check(chunks, { hash, size });
    await unlessStalled(source, stallMs, (moving) => pipeline(moving, checked, createWriteStream(draft, durable)));
    await moveTo(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Puts text where it is seen whole, or not at all. */
export async function keepText(text: string, { path, incoming }: Pick<BlobFetch, 'path' | 'incoming'>): Promise<void> {
  const draft = await draftIn(incoming);
  try {
    await writeFile(draft, text, durable);
    await moveTo(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

/** The work with what the source gives; the source is ended when nothing comes for too long. */
export async function unlessStalled<T>(
  source: Readable,
  stallMs: number,
  work: (moving: AsyncIterable<Buffer>) => Promise<T>,
): Promise<T> {
  const timer = setTimeout(() => source.destroy(new Error('The object store gave nothing for too long.')), stallMs);
  try {
    return await work(noting(source, timer));
  } finally {
    clearTimeout(timer);
    source.destroy();
  }
}

async function* noting(source: Readable, timer: NodeJS.Timeout): AsyncIterable<Buffer> {
  for await (const chunk of source) {
    timer.refresh();
    yield chunk as Buffer;
  }
}

async function* check(chunks: AsyncIterable<Buffer>, { hash, size }: Pick<BlobFetch, 'hash' | 'size'>) {
  const digest = createHash('sha256');
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > size) break;
    digest.update(chunk);
    yield chunk;
  }
  if (bytes !== size || digest.digest('hex') !== hash) {
    throw new Error(`What the object store has as the blob ${hash} is something else, or not whole.`);
  }
}

/** After a power cut a name must not stand for less than it did before. */
const durable = { flags: 'wx', flag: 'wx', mode: 0o600, flush: true };

async function draftIn(incoming: string): Promise<string> {
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  return join(incoming, randomBytes(8).toString('hex'));
}

async function moveTo(draft: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await rename(draft, path);
}

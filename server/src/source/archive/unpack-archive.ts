import { closeSync, constants, createWriteStream, mkdirSync, openSync, symlinkSync, writeSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ArchiveEntry } from './archive-entry.ts';
import type { ArchiveLimits } from './archive-limits.ts';
import type { ArchiveSource } from './archive-source.ts';
import { isSmall, readSmall, streamEntry } from './entry-data.ts';
import type { ArchiveSummary } from './inspect-archive.ts';
import { readArchive, type ReadArchive } from './read-archive.ts';

export interface UnpackOptions {
  signal?: AbortSignal;
  limits?: ArchiveLimits;
}

/**
 * Writes the files of an archive into an empty folder, which is made where there is none. Rejects with
 * AR001 where the archive cannot be used; what was written until then is the caller's to remove.
 */
export async function unpackArchive(
  source: ArchiveSource,
  folder: string,
  { signal, limits }: UnpackOptions = {},
): Promise<ArchiveSummary> {
  const archive = await readArchive(source, { signal, limits });
  await mkdir(folder, { recursive: true });
  const takeTurns = createTurns(signal);
  for (const path of foldersOf(archive.entries)) {
    mkdirSync(join(folder, path));
    await takeTurns();
  }
  const files = archive.entries.filter((entry) => entry.kind === 'file');
  for (const entry of files) {
    await unpackFile(archive, entry, join(folder, entry.path), signal);
    await takeTurns();
  }
  // Last, so that nothing can be written through one.
  for (const [path, target] of archive.links) symlinkSync(target, join(folder, path));
  return { fileCount: files.length + archive.links.size, unpackedBytes: archive.unpackedBytes };
}

/** A folder comes after the one it is in. */
function foldersOf(entries: readonly ArchiveEntry[]): string[] {
  const folders = new Set<string>();
  for (const { path, kind } of entries) {
    const parts = path.split('/');
    const depth = kind === 'folder' ? parts.length : parts.length - 1;
    for (let end = depth; end > 0; end--) {
      const folder = parts.slice(0, end).join('/');
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return [...folders].toSorted();
}

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** The bit that makes it a program is kept, and no other of the mode. */
const modeOf = (entry: ArchiveEntry) => (entry.isExecutable ? 0o755 : 0o644);

async function unpackFile(
  { bytes }: ReadArchive,
  entry: ArchiveEntry,
  path: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (isSmall(entry)) return writeSmall(path, await readSmall(bytes, entry), modeOf(entry));
  const target = createWriteStream(path, { flags: CREATE as unknown as string, mode: modeOf(entry) });
  await pipeline(await streamEntry(bytes, entry), target, { signal });
}

/** At once: handing each of a thousand small files to another thread takes several times as long as writing it. */
function writeSmall(path: string, content: Buffer, mode: number): void {
  const file = openSync(path, CREATE, mode);
  try {
    for (let written = 0; written < content.length;) written += writeSync(file, content, written);
  } finally {
    closeSync(file);
  }
}

const TURN_MS = 5;

/** Lets everybody else in this process have a turn now and then, and stops when told to. */
function createTurns(signal: AbortSignal | undefined): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since > TURN_MS) {
      await nextTurn();
      since = performance.now();
    }
    signal?.throwIfAborted();
  };
}

import { closeSync, constants, createWriteStream, mkdirSync, openSync, symlinkSync, writeSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBreather } from '../../lib/breather.ts';
import type { ArchiveEntry } from './archive-entry.ts';
import type { ArchiveLimits } from './archive-limits.ts';
import type { ArchiveSource } from './archive-source.ts';
import { isSmall, readSmall, streamEntry } from './entry-data.ts';
import { readArchive, type ReadArchive } from './read-archive.ts';

export interface UnpackOptions {
  signal?: AbortSignal;
  limits?: ArchiveLimits;
}

export interface ArchiveSummary {
  fileCount: number;
  /** By the archive's own word; unpacking holds it to that. */
  unpackedBytes: number;
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
  const breathe = createBreather(signal);
  for (const path of archive.folders) {
    mkdirSync(join(folder, path));
    await breathe();
  }
  const files = archive.entries.filter((entry) => entry.kind === 'file');
  for (const entry of files) {
    await unpackFile(archive, entry, join(folder, entry.path), signal);
    await breathe();
  }
  // Last, so that nothing can be written through one.
  for (const [path, target] of archive.links) {
    symlinkSync(target, join(folder, path));
    await breathe();
  }
  return { fileCount: files.length + archive.links.size, unpackedBytes: archive.unpackedBytes };
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
  const content = await streamEntry(bytes, entry);
  // Not before: one that nothing is piped to fails with nobody to hear it, which ends the process.
  const target = createWriteStream(path, { flags: CREATE as unknown as string, mode: modeOf(entry) });
  await pipeline(content, target, { signal });
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

import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { BackupError, type BackupHeader } from './backup-format.ts';
import { BackupParts, type BackupPart } from './backup-parts.ts';

/**
 * Gives the parts of a backup as they are read. Throws at the end when the whole does not match its
 * checksum, so whoever uses the parts must be able to take everything back until then.
 */
export async function* readBackup(path: string): AsyncGenerator<BackupPart> {
  const gunzip = createGunzip();
  const reading = pipeline(createReadStream(path), gunzip).catch(() => {});
  const parts = new BackupParts();
  try {
    for await (const piece of gunzip as AsyncIterable<Buffer>) yield* parts.read(piece);
    parts.end();
  } catch (error) {
    throw unusable(path, error);
  } finally {
    gunzip.destroy();
    await reading;
  }
}

/** Reads it all once, so that nothing is begun with a file that is cut short or was changed. */
export async function verifyBackup(path: string): Promise<BackupHeader> {
  const headers: BackupHeader[] = [];
  for await (const part of readBackup(path)) if (part.kind === 'header') headers.push(part.header);
  return headers[0]!;
}

function unusable(path: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new BackupError(`There is no file at ${path}.`, { cause: error });
  if (error instanceof BackupError) return new BackupError(`${path} cannot be restored: ${message}.`, { cause: error });
  // The decompressor's own words for a file that is not gzip, or not all there.
  if (code?.startsWith('Z_')) {
    return new BackupError(`${path} cannot be restored: it is damaged, cut short or something else.`, { cause: error });
  }
  return error;
}

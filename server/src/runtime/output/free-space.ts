import { closeSync, constants, existsSync, fstatSync, ftruncateSync, openSync, readSync, writeFileSync } from 'node:fs';
import { run } from '../../lib/exec.ts';

/** Where much was written at once and the disk is busy, it takes its time. */
const OPTIONS = { env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' }, timeoutMs: 60_000 };

/**
 * Gives the beginning of a file back to the disk, and leaves the rest where it is: nobody who writes or reads
 * it notices. False where the file system or the machine cannot; rejects where it only did not come to it now.
 */
export async function punchHole(path: string, length: number): Promise<boolean> {
  const words = ['--punch-hole', '--offset', '0', '--length', String(length), '--', path];
  const finished = await run(['fallocate', ...words], OPTIONS).catch(unlessMissing);
  // It may have been removed at this moment, which frees it too.
  if (finished?.exitCode === 0 || !existsSync(path)) return true;
  if (!finished || CANNOT.test(finished.stderr)) return false;
  throw new Error(`fallocate: ${finished.stderr.trim() || finished.signal}`);
}

/** Of the file system, or of a program that knows no holes. */
const CANNOT = /not supported|unrecognized option|invalid option|function not implemented/i;

function unlessMissing(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
  throw error;
}

/** Whoever has a lease on the file is told to give it up by this; waiting for it would stop everything. */
export function openUnlessHeld(path: string, flags: number): number | null {
  try {
    return openSync(path, flags | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EAGAIN' || code === 'ENOENT') return null;
    throw error;
  }
}

/** Room behind its end that was reserved. Only this frees it, and what is written in this moment is lost. */
export function cutReserved(path: string): void {
  const file = openUnlessHeld(path, constants.O_RDWR);
  if (file === null) return;
  try {
    ftruncateSync(file, fstatSync(file).size);
  } finally {
    closeSync(file);
  }
}

export const oldOf = (path: string): string => `${path}.old`;

/**
 * Empties the file, of which nothing is wanted any more but the end, which is copied; the program appends, so
 * it goes on at the beginning. What is written between the last look and the emptying is lost: only where
 * holes cannot be punched. Gives the size it had, or null when there is more in it than was expected.
 */
export function emptyFile(path: string, { keptBytes, most }: { keptBytes: number; most: number }): number | null {
  const file = openUnlessHeld(path, constants.O_RDWR);
  if (file === null) return null;
  try {
    const { size } = fstatSync(file);
    const buffer = Buffer.alloc(Math.min(keptBytes, size));
    const length = readSync(file, buffer, 0, buffer.length, size - buffer.length);
    writeFileSync(oldOf(path), buffer.subarray(0, length), { mode: 0o600 });
    const now = fstatSync(file).size;
    if (now > most) return null;
    ftruncateSync(file, 0);
    return now;
  } finally {
    closeSync(file);
  }
}

import { randomUUID } from 'node:crypto';
import { closeSync, constants, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';

const NEW_ONLY = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/**
 * Whole or not at all. What a folder holds may be somebody else's doing: no link in it is followed, for the draft has
 * a name that nobody can guess, and what stood at the file's name is replaced, not written into.
 */
export function replaceFile(file: string, content: string | Uint8Array, mode = 0o666): void {
  const draft = `${file}.${randomUUID()}.new`;
  try {
    const descriptor = openSync(draft, NEW_ONLY, mode);
    try {
      writeFileSync(descriptor, content);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

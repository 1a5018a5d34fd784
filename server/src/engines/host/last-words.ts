import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const MAX_BYTES = 2000;

/** The end of a log, for the message that tells why nothing runs. */
export function lastWords(path: string): string {
  try {
    const file = openSync(path, 'r');
    try {
      const { size } = fstatSync(file);
      const bytes = Buffer.alloc(Math.min(size, MAX_BYTES));
      readSync(file, bytes, 0, bytes.length, size - bytes.length);
      return bytes.toString().trim() || 'it said nothing';
    } finally {
      closeSync(file);
    }
  } catch {
    return 'it said nothing';
  }
}

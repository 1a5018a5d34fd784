import { findMain } from './launch-notes.ts';
import { filesOf } from './place-files.ts';

const LONGEST_ADDRESS = 107;
/** `/.s.PGSQL.65535` is the longest that an engine puts into its home. */
const LONGEST_NAME = 15;

export function socketFolderOf(folder: string): string {
  const { home } = filesOf(folder);
  if (Buffer.byteLength(home) + LONGEST_NAME <= LONGEST_ADDRESS) return home;
  const main = findMain(folder);
  return main ? `/proc/${main.pid}/cwd` : home;
}

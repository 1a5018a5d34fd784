import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** A folder that belongs to another user, whoever runs the tests. */
export function foreignFolder(inside: string): string {
  // Nobody but root can give a folder away; to everybody else the root folder is another's.
  if (process.getuid?.() !== 0) return '/';
  const folder = join(inside, 'foreign');
  mkdirSync(folder, { mode: 0o700 });
  chownSync(folder, 12_345, 12_345);
  return folder;
}

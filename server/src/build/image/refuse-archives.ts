import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { realPathInside } from '../inside.ts';
import { refuse, type Named } from './parse-dockerfile.ts';

const NAMES = /\.(tar|t[bgx]z2?|tzst|tar\.\w+)$/i;
/** Where in a file which bytes say that it is packed. */
const SIGNS: readonly (readonly [at: number, bytes: string])[] = [
  [0, '1f8b'],
  [0, '425a68'],
  [0, 'fd377a585a00'],
  [0, '28b52ffd'],
  [257, '7573746172'],
];
const LOOK_BYTES = 262;

/**
 * The engine would unpack what ADD takes by itself, and nothing could bound it: so that nobody is surprised, it is
 * said.
 */
export async function refuseArchives(
  added: readonly Named[],
  { source, rootDirectory }: { source: string; rootDirectory: string },
): Promise<void> {
  for (const { name, line } of added) {
    const path = realPathInside(source, join(rootDirectory, name));
    if (!NAMES.test(name) && (path === null || !(await isPacked(path)))) continue;
    throw refuse(line, `ADD does not unpack here. Use COPY for ${name}, and unpack it in a RUN (tar -xf).`);
  }
}

async function isPacked(path: string): Promise<boolean> {
  await using file = await open(path);
  if (!(await file.stat()).isFile()) return false;
  const { buffer } = await file.read(Buffer.alloc(LOOK_BYTES), 0, LOOK_BYTES, 0);
  return SIGNS.some(([at, bytes]) => buffer.subarray(at).toString('hex').startsWith(bytes));
}

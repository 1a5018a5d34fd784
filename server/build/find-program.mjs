import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hashSources } from './hash-sources.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** What ends up in the program: the server itself, what it imports of ours, the packages' versions. */
const sources = ['server/build', 'server/src', 'contract/src', 'mcp/src', 'sdk/src', 'package-lock.json'];

/** Each build has a folder of its own, named by what it was made of: a platform that runs keeps its own. */
export const buildsFolder = join(root, 'server', 'dist');

export const sourceProgram = join(root, 'server', 'src', 'main.ts');

let name;
/** Read once: it takes a moment, and more than one asks. */
export function nameOfBuild() {
  return (name ??= hashSources(root, sources).slice(0, 16));
}

/** The server's program: what was built of these very sources, and the sources themselves where that was not done. */
export function findProgram() {
  const built = join(buildsFolder, nameOfBuild(), 'main.mjs');
  return existsSync(built) ? built : sourceProgram;
}

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Made of the sources, or beside them. */
const notSources = new Set(['node_modules', 'dist', 'dist.new', 'dist.old', 'testing']);

/**
 * Tells whether what was built is of these files and folders: by what is in them, since whoever unpacks a newer release
 * over an older one gives the files any date. Without dependencies, on any Node from 18 on.
 */
export function hashSources(root, sources) {
  const hash = createHash('sha256');
  for (const path of sources.flatMap((source) => filesBelow(root, source))) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return hash.digest('hex');
}

/** What is not there is no source either: an image has fewer files than a clone. */
function filesBelow(root, path) {
  const about = statSync(join(root, path), { throwIfNoEntry: false });
  if (!about?.isDirectory()) return about ? [path] : [];
  return readdirSync(join(root, path), { withFileTypes: true })
    .filter(({ name }) => !notSources.has(name) && !name.endsWith('.test.ts'))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(root, `${path}/${entry.name}`) : [`${path}/${entry.name}`]));
}

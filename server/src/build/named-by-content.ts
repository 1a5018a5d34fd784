import { join } from 'node:path';
import { realPathInside } from './inside.ts';
import type { Plan } from './plan.ts';

/** Built by Vite: what it makes lies in `assets/`, named by content; what it only copies comes from `public/`. */
const VITE_FRAMEWORKS = new Set(['vite', 'react-router', 'vue', 'preact-vite', 'solidstart-1']);
const VITE_ASSET = /^\/assets\/(?:.*\/)?[^/]*[.-][\w-]{8}\.[a-z0-9]+(?:\.map)?$/;

/**
 * Tells which files of the output certainly carry a hash of their content in their name, where a name
 * alone leaves doubt: one in five of Vite's hashes looks as if it might be a word.
 */
export function namedByContent(source: string, plan: Plan): (path: string) => boolean {
  if (plan.buildCommand === null || !VITE_FRAMEWORKS.has(plan.framework ?? '')) return () => false;
  const copied = join(plan.rootDirectory, 'public');
  return (path) => VITE_ASSET.test(path) && realPathInside(source, join(copied, path)) === null;
}

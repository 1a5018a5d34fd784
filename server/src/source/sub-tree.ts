import { posix } from 'node:path';
import type { SourceTree } from './source-tree.ts';

/** The tree seen from one of its folders. What lies above that folder cannot be named. */
export function openSubTree(tree: SourceTree, folder: string): SourceTree {
  const base = insidePath(folder);
  if (base === '') return tree;
  if (base === null) throw new Error(`“${folder}” leads out of the tree`);
  return {
    async list(path) {
      const inside = insidePath(path);
      return inside === null ? [] : tree.list(posix.join(base, inside));
    },
    async read(path) {
      const inside = insidePath(path);
      return inside === null ? null : tree.read(posix.join(base, inside));
    },
  };
}

/** Relative to the root, without `.` and `..`; `''` is the root itself, null leads out of it. */
export function insidePath(path: string): string | null {
  const normal = posix.normalize(path === '' ? '.' : path).replace(/\/+$/, '');
  if (normal === '..' || normal.startsWith('../') || normal.startsWith('/')) return null;
  return normal === '.' ? '' : normal;
}

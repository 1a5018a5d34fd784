import { posix } from 'node:path';
import type { SourceTree, TreeEntry } from '../../../source/source-tree.ts';

export interface MemoryTree extends SourceTree {
  /** What was asked for, in its order: `list apps`, `read package.json`. */
  asked: string[];
}

/** A tree of the files given by their paths; anything but a text is written as JSON. */
export function memoryTree(files: Readonly<Record<string, unknown>>): MemoryTree {
  const texts = new Map(
    Object.entries(files).map(([path, content]) => [
      path,
      typeof content === 'string' ? content : JSON.stringify(content),
    ]),
  );
  const asked: string[] = [];
  return {
    asked,
    async list(folder) {
      asked.push(`list ${folder}`);
      return entriesOf([...texts.keys()], folder);
    },
    async read(path) {
      asked.push(`read ${path}`);
      return texts.get(path) ?? null;
    },
  };
}

function entriesOf(paths: readonly string[], folder: string): TreeEntry[] {
  const inside = paths.map((path) => posix.relative(folder, path)).filter((path) => !path.startsWith('..'));
  const kinds = new Map<string, TreeEntry['kind']>(
    inside.map((path) => [path.split('/')[0] ?? '', path.includes('/') ? 'folder' : 'file']),
  );
  return [...kinds].map(([name, kind]) => ({ name, kind })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

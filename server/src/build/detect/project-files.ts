import { posix } from 'node:path';
import type { SourceTree, TreeEntry } from '../../source/source-tree.ts';
import { insidePath } from '../../source/sub-tree.ts';

/**
 * The files of one project as rules see them. Every folder is listed and every file read at most once,
 * and a file whose folder does not list it is never asked for: with a git tree each is a round trip.
 */
export interface ProjectFiles {
  /** What lies in the root. */
  readonly fileNames: ReadonlySet<string>;
  readonly folderNames: ReadonlySet<string>;
  list(folder: string): Promise<TreeEntry[]>;
  has(path: string): Promise<boolean>;
  hasFolder(path: string): Promise<boolean>;
  read(path: string): Promise<string | null>;
  /** The first of these that is there. */
  findFirst(paths: readonly string[]): Promise<string | null>;
}

export async function openProjectFiles(tree: SourceTree): Promise<ProjectFiles> {
  const listed = new Map<string, Promise<TreeEntry[]>>();
  const texts = new Map<string, Promise<string | null>>();
  const list = (folder: string) => remember(listed, folder, () => tree.list(folder));
  const root = await list('');

  const holds = async (path: string, kind: TreeEntry['kind']): Promise<boolean> => {
    const inside = insidePath(path);
    if (!inside) return inside === '' && kind === 'folder';
    const parent = folderOf(inside);
    if (parent !== '' && !(await holds(parent, 'folder'))) return false;
    return (await list(parent)).some((entry) => entry.kind === kind && entry.name === posix.basename(inside));
  };
  const files: ProjectFiles = {
    fileNames: namesOf(root, 'file'),
    folderNames: namesOf(root, 'folder'),
    list: async (folder) => ((await holds(folder, 'folder')) ? list(insidePath(folder) ?? '') : []),
    has: (path) => holds(path, 'file'),
    hasFolder: (path) => holds(path, 'folder'),
    read: async (path) => {
      const inside = insidePath(path);
      return inside && (await holds(inside, 'file')) ? remember(texts, inside, () => tree.read(inside)) : null;
    },
    findFirst: async (paths) => {
      for (const path of paths) if (await holds(path, 'file')) return path;
      return null;
    },
  };
  return files;
}

function remember<T>(known: Map<string, Promise<T>>, key: string, ask: () => Promise<T>): Promise<T> {
  const answer = known.get(key) ?? ask();
  known.set(key, answer);
  return answer;
}

function namesOf(entries: readonly TreeEntry[], kind: TreeEntry['kind']): ReadonlySet<string> {
  return new Set(entries.filter((entry) => entry.kind === kind).map((entry) => entry.name));
}

function folderOf(path: string): string {
  const folder = posix.dirname(path);
  return folder === '.' ? '' : folder;
}

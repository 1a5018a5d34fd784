import { posix } from 'node:path';
import { invalid, notFound } from '../../lib/fault.ts';
import { insidePath } from '../../source/sub-tree.ts';
import type { SourceTree } from '../../source/source-tree.ts';

/**
 * The folders one level below a path, each by its whole path from the root, in the order of their names:
 * what is answered can be sent again as `path` or `rootDirectory`.
 */
export async function listDirectories(tree: SourceTree, path: string): Promise<string[]> {
  const folder = insidePath(path.trim());
  if (folder === null) throw invalid('The path must lie inside the repository.');
  if (folder !== '' && !(await hasFolder(tree, folder))) throw notFound(`The folder ${folder}`);
  const entries = await tree.list(folder);
  return entries.filter(({ kind }) => kind === 'folder').map(({ name }) => posix.join(folder, name));
}

/** A folder that holds nothing is told from one that is not there by its parent. */
async function hasFolder(tree: SourceTree, folder: string): Promise<boolean> {
  const parent = posix.dirname(folder);
  const siblings = await tree.list(parent === '.' ? '' : parent);
  return siblings.some(({ name, kind }) => kind === 'folder' && name === posix.basename(folder));
}

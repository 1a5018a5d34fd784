import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { removeTree } from '../lib/remove-tree.ts';
import { isPlainFolder } from './cache/installed-trees.ts';
import type { Plan } from './plan.ts';

const MAX_DEPTH = 8;

/**
 * Removes packages that came along with the project's files: they were installed on another machine, for another
 * one, and would be taken for those of this build. Only where packages are installed anew.
 */
export async function removeInstalled(
  source: string,
  plan: Pick<Plan, 'installCommand' | 'packageManager' | 'language' | 'workspaceDirectory'>,
  onLine: (line: string) => void,
): Promise<void> {
  const isInstalled = installedFolders(plan);
  if (!isInstalled || !(await isPlainFolder(source, plan.workspaceDirectory))) return;
  const found = await findFolders(join(source, plan.workspaceDirectory), '', isInstalled);
  for (const folder of found) await removeTree(join(source, plan.workspaceDirectory, folder));
  if (found.length === 0) return;
  const [first, ...others] = found;
  const which = others.length === 0 ? first : `${first} and ${others.length} more`;
  onLine(`Removed ${which}, which came with the source: packages are installed anew, for this machine.`);
}

type Judge = (folder: string, name: string) => Promise<boolean>;

/** By what each language's installs look like; null where nothing of that kind is known. */
function installedFolders({
  installCommand,
  packageManager,
  language,
}: Parameters<typeof removeInstalled>[1]): Judge | null {
  if (language === 'python') return (folder) => hasFile(join(folder, 'pyvenv.cfg'));
  if (installCommand === null) return null;
  if (packageManager) return async (_folder, name) => name === 'node_modules';
  if (language === 'ruby') return async (folder, name) => name === 'bundle' && folder.endsWith('/vendor/bundle');
  if (language === 'php') return async (folder, name) => name === 'vendor' && hasFile(join(folder, 'autoload.php'));
  return null;
}

async function hasFile(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isFile() === true;
}

/** Links are not followed. */
async function findFolders(root: string, folder: string, isInstalled: Judge, depth = 0): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
  const found: string[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory() || entry.name === '.git') continue;
    if (await isInstalled(join(root, path), entry.name)) found.push(path);
    else if (depth < MAX_DEPTH) found.push(...(await findFolders(root, path, isInstalled, depth + 1)));
  }
  return found;
}

import { IgnoreRules, type RuleTexts } from '@lilac/contract/source-files/ignore-rules';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The rules of a folder, with those of the folders above, as far as the repository goes. */
export function readIgnoreRules(root: string): IgnoreRules {
  let above = IgnoreRules.none;
  for (const folder of foldersAbove(root)) above = above.with(`../${slashes(relative(folder, root))}`, textsIn(folder));
  // `lilac deploy dist` means what is in it, although git is told to leave dist out.
  const outer = above.ignores({ path: '', isFolder: true }) ? IgnoreRules.none : above;
  return outer.with('', textsIn(root));
}

/** For what is in a folder below. */
export function readRulesWithin(rules: IgnoreRules, root: string, path: string): IgnoreRules {
  return rules.with(path, textsIn(join(root, path)));
}

/** The outermost first; none where it is no part of a repository. */
function foldersAbove(root: string): string[] {
  const folders: string[] = [];
  for (let folder = root; !existsSync(join(folder, '.git'));) {
    const outer = dirname(folder);
    if (outer === folder) return [];
    folders.unshift((folder = outer));
  }
  return folders;
}

function textsIn(folder: string): RuleTexts {
  return { gitignore: readText(join(folder, '.gitignore')), lilacignore: readText(join(folder, '.lilacignore')) };
}

const slashes = (path: string) => path.replaceAll('\\', '/');

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    // A folder of that name is no list of rules.
    if (['ENOENT', 'EISDIR', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}

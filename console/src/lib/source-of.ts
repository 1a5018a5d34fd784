import { IgnoreRules } from '@lilac/contract/source-files/ignore-rules';
import { judgeEntry } from '@lilac/contract/source-files/judge-entry';
import { bytesToFindKey, holdsPrivateKey } from '@lilac/contract/source-files/secret-files';
import type { ZipEntry } from './zip-files/zip-files.ts';

/** Paths from the top; of a folder that is left out whole only its own, with a slash at its end. */
export interface LeftOut {
  secrets: readonly string[];
  /** By `.gitignore` and `.lilacignore`. */
  ignored: readonly string[];
}

interface Source {
  files: ZipEntry[];
  leftOut: LeftOut;
}

const READ_AT_ONCE = 100;

/** What of a folder is its source, by the rules of `lilac deploy`: without secrets and what its files of rules name. */
export async function sourceOf(entries: readonly ZipEntry[]): Promise<Source> {
  const wanted: Found[] = [];
  const [secrets, ignored]: [string[], string[]] = [[], []];
  await walk(treeOf(entries), IgnoreRules.none);
  const { keys, files } = await findKeys(wanted);
  return { files, leftOut: { secrets: [...secrets, ...keys].toSorted(), ignored: ignored.toSorted() } };

  async function walk(folder: Folder, above: IgnoreRules): Promise<void> {
    const rules = above.with(folder.path, {
      gitignore: await textOf(folder, '.gitignore'),
      lilacignore: await textOf(folder, '.lilacignore'),
    });
    for (const file of folder.files.values()) {
      if (isWanted(file.path, false, rules)) wanted.push({ file, rules });
    }
    for (const inner of folder.folders.values()) if (isWanted(inner.path, true, rules)) await walk(inner, rules);
  }

  function isWanted(path: string, isFolder: boolean, rules: IgnoreRules): boolean {
    const verdict = judgeEntry({ path, isFolder }, rules);
    const shown = isFolder ? `${path}/` : path;
    if (verdict === 'secret') secrets.push(shown);
    if (verdict === 'ignored') ignored.push(shown);
    return verdict === 'wanted';
  }
}

interface Found {
  file: ZipEntry;
  /** Those of the folder that it lies in. */
  rules: IgnoreRules;
}

interface Folder {
  path: string;
  /** Both by their names. */
  files: Map<string, ZipEntry>;
  folders: Map<string, Folder>;
}

const emptyFolder = (path: string): Folder => ({ path, files: new Map(), folders: new Map() });

function treeOf(entries: readonly ZipEntry[]): Folder {
  const root = emptyFolder('');
  for (const entry of entries) {
    const names = entry.path.split('/');
    const name = names.pop()!;
    let folder = root;
    for (const [depth, each] of names.entries()) {
      const inner = folder.folders.get(each) ?? emptyFolder(names.slice(0, depth + 1).join('/'));
      folder.folders.set(each, inner);
      folder = inner;
    }
    folder.files.set(name, entry);
  }
  return root;
}

async function textOf({ files }: Folder, name: string): Promise<string> {
  return (await files.get(name)?.content.text()) ?? '';
}

/** Private keys, whatever they are called. */
async function findKeys(found: readonly Found[]): Promise<{ keys: string[]; files: ZipEntry[] }> {
  const keys: string[] = [];
  const files: ZipEntry[] = [];
  for (let from = 0; from < found.length; from += READ_AT_ONCE) {
    const some = found.slice(from, from + READ_AT_ONCE);
    const areKeys = await Promise.all(some.map(isUnwantedKey));
    for (const [index, { file }] of some.entries()) {
      if (areKeys[index]) keys.push(file.path);
      else files.push(file);
    }
  }
  return { keys, files };
}

async function isUnwantedKey({ file: { path, content }, rules }: Found): Promise<boolean> {
  const length = bytesToFindKey(path, content.size);
  if (length === 0 || !holdsPrivateKey(path, await content.slice(0, length).text())) return false;
  return !rules.wantsExpressly({ path, isFolder: false });
}

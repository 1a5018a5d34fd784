import { IgnoreRules } from '@lilac/contract/source-files/ignore-rules';
import { judgeEntry } from '@lilac/contract/source-files/judge-entry';
import { bytesToFindKey, holdsPrivateKey } from '@lilac/contract/source-files/secret-files';
import type { SourceFile, SourceFolder } from './source-folder.ts';
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

/**
 * What of a folder is its source, by the rules of `lilac deploy`: without secrets and what its files of rules name.
 * What is left out whole is not looked into, as git does it.
 */
export async function sourceOf(top: SourceFolder): Promise<Source> {
  const wanted: Found[] = [];
  const [secrets, ignored]: [string[], string[]] = [[], []];
  await walk(top, '', IgnoreRules.none);
  const { keys, files } = await findKeys(wanted);
  return { files, leftOut: { secrets: [...secrets, ...keys].toSorted(), ignored: ignored.toSorted() } };

  async function walk(folder: SourceFolder, at: string, above: IgnoreRules): Promise<void> {
    const { files, folders } = await folder.list();
    const rules = above.with(at, {
      gitignore: await textOf(files.get('.gitignore')),
      lilacignore: await textOf(files.get('.lilacignore')),
    });
    const pathOf = (name: string) => (at === '' ? name : `${at}/${name}`);
    for (const [name, file] of files) {
      if (isWanted(pathOf(name), false, rules)) wanted.push({ path: pathOf(name), file, rules });
    }
    for (const [name, inner] of folders) {
      if (isWanted(pathOf(name), true, rules)) await walk(inner, pathOf(name), rules);
    }
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
  path: string;
  file: SourceFile;
  /** Those of the folder that it lies in. */
  rules: IgnoreRules;
}

async function textOf(file: SourceFile | undefined): Promise<string> {
  return file ? await (await file.read()).text() : '';
}

/** Private keys, whatever they are called. */
async function findKeys(found: readonly Found[]): Promise<{ keys: string[]; files: ZipEntry[] }> {
  const keys: string[] = [];
  const files: ZipEntry[] = [];
  for (let from = 0; from < found.length; from += READ_AT_ONCE) {
    for (const { entry, isKey } of await Promise.all(found.slice(from, from + READ_AT_ONCE).map(lookInto))) {
      if (isKey) keys.push(entry.path);
      else files.push(entry);
    }
  }
  return { keys, files };
}

async function lookInto({ path, file, rules }: Found): Promise<{ entry: ZipEntry; isKey: boolean }> {
  const content = await file.read();
  const length = bytesToFindKey(path, content.size);
  const isKey = length > 0 && holdsPrivateKey(path, await content.slice(0, length).text());
  return { entry: { path, content }, isKey: isKey && !rules.wantsExpressly({ path, isFolder: false }) };
}

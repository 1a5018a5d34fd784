import type { IgnoreRules, SourceEntry } from '@lilac/contract/source-files/ignore-rules';
import { judgeEntry } from '@lilac/contract/source-files/judge-entry';
import { lstatSync, readdirSync, readlinkSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { GaveUp } from '../frame/gave-up.ts';
import { UsageError } from '../frame/usage-error.ts';
import { plainText } from '../terminal/printable.ts';
import { holdsKey } from './holds-key.ts';
import { readIgnoreRules, readRulesWithin } from './read-ignore-rules.ts';

export type PackedFile = { path: string; size: number; isExecutable: boolean } | { path: string; target: string };

export interface FileList {
  root: string;
  /** In an order that is the same on every machine. */
  files: readonly PackedFile[];
  totalBytes: number;
  /** Left out because they hold secrets. */
  secrets: readonly string[];
  /** Pipes, sockets and such, of which a zip holds none. */
  odd: readonly string[];
}

/** What of a folder is its source. */
export function listFiles(root: string): FileList {
  assertFolder(root);
  const found: { files: PackedFile[]; secrets: string[]; odd: string[] } = { files: [], secrets: [], odd: [] };
  walk('', readIgnoreRules(root));
  const files = found.files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  if (files.length === 0) throw new UsageError(nothingIn(root, found.secrets));
  const totalBytes = files.reduce((sum, file) => sum + ('size' in file ? file.size : 0), 0);
  return { root, files, totalBytes, secrets: found.secrets.toSorted(), odd: found.odd.toSorted() };

  function walk(folder: string, rules: IgnoreRules): void {
    for (const name of namesIn(root, folder)) {
      const path = folder === '' ? name : `${folder}/${name}`;
      const facts = lookAt(join(root, path), path);
      const entry = { path, isFolder: facts.isDirectory() };
      const verdict = judgeEntry(entry, rules);
      if (verdict === 'secret' || (verdict === 'wanted' && isKey(entry, facts) && !rules.wantsExpressly(entry)))
        found.secrets.push(entry.isFolder ? `${path}/` : path);
      else if (verdict === 'wanted' && entry.isFolder) walk(path, readRulesWithin(rules, root, path));
      else if (verdict === 'wanted') addFile(path, facts);
    }
  }

  function isKey({ path }: SourceEntry, facts: Stats): boolean {
    return facts.isFile() && holdsKey(join(root, path), facts.size);
  }

  function addFile(path: string, facts: Stats): void {
    assertPortable(path);
    if (facts.isSymbolicLink()) found.files.push({ path, target: readLink(root, path) });
    else if (facts.isFile()) found.files.push({ path, size: facts.size, isExecutable: (facts.mode & 0o100) !== 0 });
    else found.odd.push(path);
  }
}

function assertFolder(root: string): void {
  const facts = lstatSync(join(root, '.'), { throwIfNoEntry: false });
  if (!facts) throw new UsageError(`There is no folder "${plainText(root)}".`);
  if (!facts.isDirectory())
    throw new UsageError(`"${plainText(root)}" is no folder. Name the folder that the project is in.`);
}

function nothingIn(root: string, secrets: readonly string[]): string {
  const but = secrets.length > 0 ? ` but ${secrets.map(plainText).join(', ')}, which is never sent` : '';
  return `There is nothing to deploy in ${plainText(root)}${but}. Go to the folder of your project, or name it: lilac deploy <folder>`;
}

function namesIn(root: string, folder: string): string[] {
  try {
    return readdirSync(join(root, folder));
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new GaveUp(
      `${plainText(join(root, folder))} cannot be read (${code}). Mend that, or name it in .lilacignore.`,
    );
  }
}

function lookAt(file: string, path: string): Stats {
  const facts = lstatSync(file, { throwIfNoEntry: false });
  if (facts) return facts;
  throw new GaveUp(
    `"${plainText(path)}" went away while the folder was looked through, or its name is not valid UTF-8. Try again, or rename it.`,
  );
}

/** A zip knows one kind of slash. */
function assertPortable(path: string): void {
  if (!path.includes('\\') && !/^[A-Za-z]:/.test(path)) return;
  throw new GaveUp(`"${plainText(path)}" cannot be sent under this name: rename it, or name it in .lilacignore.`);
}

/** As the platform takes it: steps up first, never above the folder. */
function readLink(root: string, path: string): string {
  const target = readlinkSync(join(root, path));
  const parts = target.split('/').filter((part) => part !== '' && part !== '.');
  const up = parts.findIndex((part) => part !== '..');
  const depth = path.split('/').length - 1;
  const leadsOut = target.startsWith('/') || (up === -1 ? parts.length : up) > depth;
  if (!leadsOut && !parts.slice(up === -1 ? parts.length : up).includes('..')) return target;
  throw new GaveUp(
    `The link "${plainText(path)}" leads to "${plainText(target)}", outside of the folder that is deployed. ` +
      'Replace it by what it leads to, or name it in .lilacignore.',
  );
}

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { titlesIn } from './test-titles.ts';

const server = join(import.meta.dirname, '..');
const root = join(server, '../..');

/** By its path from the root of the repository or below `server/src`; null: there is none. */
export function findFile(path: string): string | null {
  const found = [root, server].map((base) => join(base, path)).find((candidate) => existsSync(candidate));
  return found ?? null;
}

/** Whether `npm test -- <file> -t "<words>"` runs a test. The words are a pattern to vitest, and go through a shell. */
export function isRunBy(file: string, words: string): boolean {
  const isTest = /\.test\.(?:ts|mjs)$/.test(file) && !/[$`\\!]/.test(words);
  return isTest && titlesOf(findFile(file)).some((title) => new RegExp(words).test(title));
}

/** Of a test, and of the parts of it that lie in files of their own, and of theirs. */
function titlesOf(file: string | null): string[] {
  if (file === null) return [];
  const parts = partsOf(file).flatMap((part) => [part, ...partsOf(part)]);
  // As it is read, however a string of code spells it.
  return [file, ...parts].flatMap((each) => titlesIn(read(each))).map((title) => title.replaceAll('\\', ''));
}

/** What a file of tests imports; what it tries out has no tests. */
function partsOf(file: string): string[] {
  if (!/\.test\./.test(file) && !read(file).includes("from 'vitest'")) return [];
  const imported = [...read(file).matchAll(/from '(\.[^']+)'/g)].map((match) => join(dirname(file), match[1]!));
  return imported.filter((part) => existsSync(part));
}

const read = (file: string): string => readFileSync(file, 'utf8');

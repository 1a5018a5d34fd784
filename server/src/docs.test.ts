import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findFile, isRunBy } from './testing/named-tests.ts';

/** What the documents say about files, held by a test: whoever moves a file is told which page names it. */
const root = join(import.meta.dirname, '../..');
const documents = [
  'README.md',
  'SECURITY.md',
  ...globSync('{bench,chaos,examples,fuzz,sdk,soak}/README.md', { cwd: root }),
  ...globSync('docs/**/*.md', { cwd: root }),
].map((path) => ({
  path,
  text: withoutBlocks(readFileSync(join(root, path), 'utf8')),
}));

describe('the documents', () => {
  it('were really looked at', () => {
    expect(documents.length).toBeGreaterThan(10);
    const read = documents.map(({ path }) => path);
    expect(read).toEqual(
      expect.arrayContaining([
        'SECURITY.md',
        'chaos/README.md',
        'examples/README.md',
        'fuzz/README.md',
        'soak/README.md',
      ]),
    );
    expect(documents.flatMap(namedPaths).length).toBeGreaterThan(100);
    expect(documents.flatMap(namedCode).length).toBeGreaterThan(50);
    expect(namedTests().length).toBeGreaterThan(200);
  });

  it('name only files and folders that exist', () => {
    const missing = documents.flatMap((document) =>
      namedPaths(document)
        .filter((named) => findFile(named) === null)
        .map((named) => `${document.path}: ${named}`),
    );
    expect(missing).toEqual([]);
  });

  it('name only functions that are in the file they are said to be in', () => {
    const missing = documents.flatMap((document) =>
      namedCode(document)
        .filter(({ name, file }) => !isDefined(name, findFile(file)))
        .map(({ name, file }) => `${document.path}: ${name} in ${file}`),
    );
    expect(missing).toEqual([]);
  });

  it('name only tests that `npm test -- <file> -t "<words>"` runs', () => {
    const missing = namedTests()
      .filter(({ words, file }) => !isRunBy(file, words))
      .map(({ words, file }) => `docs/security.md: "${words}" in ${file}`);
    expect(missing).toEqual([]);
  });

  it('link only to files that exist', () => {
    const broken = documents.flatMap(({ path, text }) =>
      [...text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)]
        .map((match) => match[1]!)
        .filter((target) => !/^[a-z]+:/.test(target) && !existsSync(join(root, dirname(path), target)))
        .map((target) => `${path}: ${target}`),
    );
    expect(broken).toEqual([]);
  });
});

/**
 * Paths in backticks, from the root of the repository or below `server/src`; what ends or begins otherwise is something
 * else.
 */
function namedPaths({ text }: { text: string }): string[] {
  const quoted = [...text.matchAll(/`([\w.@-]+(?:\/[\w.@-]+)*\/?)`/g)].map((match) => match[1]!);
  return quoted.filter((token) => token.includes('/') && (/\.(?:ts|mjs|sql|md)$/.test(token) || beginsHere(token)));
}

/** `name` in `path/file.ts`. */
function namedCode({ text }: { text: string }): { name: string; file: string }[] {
  const matches = text.matchAll(/`(\w+)`(?:\*\*)? in `([\w./-]+\.ts)`/g);
  return [...matches].map((match) => ({ name: match[1]!, file: match[2]! }));
}

/**
 * In the last column of the tables of docs/security.md, words in quotes belong to the file or two named before them.
 */
function namedTests(): { words: string; file: string }[] {
  const { text } = documents.find(({ path }) => path === 'docs/security.md')!;
  const cells = text.split('\n').flatMap((line) => (line.startsWith('|') ? line.split(' | ').at(-1)! : []));
  return cells.flatMap((cell) => {
    const [, ...parts] = cell.split(/((?:`[\w./-]+\.(?:ts|mjs)`(?: and )?)+)/);
    return parts.flatMap((named, index) => (index % 2 === 0 ? pairsOf(named, parts[index + 1]!) : []));
  });
}

function pairsOf(named: string, after: string): { words: string; file: string }[] {
  const files = [...named.matchAll(/`([^`]+)`/g)].map((match) => match[1]!);
  const quoted = [...after.matchAll(/"([^"]+)"/g)].map((match) => match[1]!);
  return files.flatMap((file) => quoted.map((words) => ({ words, file })));
}

function beginsHere(path: string): boolean {
  return findFile(path.split('/')[0]!) !== null;
}

function isDefined(name: string, file: string | null): boolean {
  if (file === null) return false;
  const definition = new RegExp(String.raw`\b(?:function\*?|class|const|interface|type)\s+${name}\b`);
  return definition.test(readFileSync(file, 'utf8'));
}

/** Blocks of code show commands and diagrams, not names of files. */
function withoutBlocks(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```/gm, '');
}

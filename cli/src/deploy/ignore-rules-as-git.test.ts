import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { listFiles } from './list-files.ts';

const TREES = 60;

/** The same trees in every run. */
function createDice(seed: number) {
  let state = seed;
  return (sides: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * sides);
  };
}

const roll = createDice(7);
const oneOf = <T>(all: readonly T[]): T => all[roll(all.length)]!;
const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

const names = ['a', 'b', 'ab', 'data', 'x.csv', 'y.log', 'we ird', '#c'];
const parts = ['a', 'b', '?b', 'a*', '*', '**', 'data', '*.csv', '*.log', 'x.[cd]sv', 'we ird', String.raw`\#c`];

function pattern(): string {
  const middle = times(1 + roll(3), () => oneOf(parts)).join('/');
  return `${oneOf(['', '', '', '!', '!'])}${oneOf(['', '', '/'])}${middle}${oneOf(['', '', '/', '/**'])}`;
}

function tree(): Record<string, string> {
  const files: Record<string, string> = { 'always.txt': '' };
  for (const path of times(14, () => times(1 + roll(4), () => oneOf(names)).join('/'))) {
    const isTaken = Object.keys(files).some(
      (other) => `${other}/`.startsWith(`${path}/`) || path.startsWith(`${other}/`),
    );
    if (!isTaken) files[path] = '';
  }
  const folders = ['.', ...Object.keys(files).map((path) => dirname(path))];
  for (const folder of times(3, () => oneOf(folders))) {
    files[join(folder, '.gitignore')] = `${times(1 + roll(4), pattern).join('\n')}\n`;
  }
  return { ...files, '.gitignore': `${times(1 + roll(4), pattern).join('\n')}\n!/always.txt\n` };
}

it('sends what git would, of trees with rules at every level', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'lilac-as-git-')));
  try {
    const trees = [known, ...times(TREES, tree)];
    for (const [index, files] of trees.entries()) write(join(root, String(index)), files);
    const wanted = filesOfGit(root);
    for (const [index, files] of trees.entries()) {
      const prefix = `${index}/`;
      const sent = listFiles(join(root, String(index))).files.map(({ path }) => path);
      const ofThis = wanted.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
      expect({ files, sent }).toEqual({ files, sent: ofThis.toSorted() });
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

function write(root: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

function filesOfGit(root: string): string[] {
  const env = { PATH: process.env['PATH'], HOME: root, GIT_CONFIG_NOSYSTEM: '1' };
  const git = (...words: string[]) => execFileSync('git', words, { cwd: root, env, encoding: 'utf8' });
  git('init', '-q');
  return git('ls-files', '-co', '--exclude-per-directory=.gitignore', '-z').split('\0').filter(Boolean);
}

/** A folder that is taken in again, whose files are left out all the same. */
const known = {
  '.gitignore': 'data/**\n',
  'data/.gitignore': '!/public\n!.gitignore\n',
  'data/public/customers.csv': '',
  'index.html': '',
};

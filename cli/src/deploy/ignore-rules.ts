import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { LoneRules } from './lone-rules.ts';

/** The rules of one folder, for paths from there. */
interface FolderRules {
  /** From the folder that is packed; begins with `../` above it. */
  folder: string;
  rules: LoneRules;
  /** What `.lilacignore` alone says, without what takes in whatever there is. */
  own: LoneRules;
}

export interface Entry {
  /** From the folder that is packed, with forward slashes. */
  path: string;
  isFolder: boolean;
}

/** What `.gitignore` and `.lilacignore` leave out, at every level; the innermost rule that matches counts. */
export class IgnoreRules {
  readonly #root: string;
  readonly #levels: readonly FolderRules[];

  private constructor(root: string, levels: readonly FolderRules[]) {
    this.#root = root;
    this.#levels = levels;
  }

  /** With those of the folders above, as far as the repository goes. */
  static of(root: string): IgnoreRules {
    const above = foldersAbove(root).flatMap((folder) => readRules(root, folder));
    const isItselfIgnored = new IgnoreRules(root, above).ignores({ path: '', isFolder: true });
    // `lilac deploy dist` means what is in it, although git is told to leave dist out.
    return new IgnoreRules(root, [...(isItselfIgnored ? [] : above), ...readRules(root, root)]);
  }

  /** For what is in a folder below. */
  within(path: string): IgnoreRules {
    const more = readRules(this.#root, join(this.#root, path));
    return more.length === 0 ? this : new IgnoreRules(this.#root, [...this.#levels, ...more]);
  }

  ignores(entry: Entry): boolean {
    for (const level of this.#levels.toReversed()) {
      const path = pathFrom(level, entry);
      if (path === '') continue;
      const { ignored, unignored } = level.rules.test(path);
      if (ignored || unignored) return ignored;
    }
    return false;
  }

  /** Whether a `.lilacignore` says with `!` and by name that it is wanted. */
  wantsExpressly(entry: Entry): boolean {
    return this.#levels.some((level) => level.own.test(pathFrom(level, entry)).unignored);
  }
}

function pathFrom({ folder }: FolderRules, { path, isFolder }: Entry): string {
  const inner = folder.startsWith('../')
    ? `${folder.slice(3)}/${path}`
    : path.slice(folder === '' ? 0 : folder.length + 1);
  return isFolder ? `${inner.replace(/\/$/, '')}/` : inner;
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

function readRules(root: string, folder: string): FolderRules[] {
  const [shared, own] = ['.gitignore', '.lilacignore'].map((name) => readText(join(folder, name)));
  if (!shared && !own) return [];
  return [
    { folder: placeOf(root, folder), rules: new LoneRules(`${shared}\n${own}`), own: new LoneRules(namedIn(own!)) },
  ];
}

/** A list of what may be sent (`*`, then `!dist/**`) means no secret that happens to lie there. */
function namedIn(rules: string): string {
  return rules
    .split(/\r?\n/)
    .filter((line) => !line.startsWith('!') || isNamed(line))
    .join('\n');
}

/** Whether the last part of the pattern has a letter or a digit of its own, besides what stands for anything. */
function isNamed(pattern: string): boolean {
  const last = pattern.trimEnd().replace(/\/+$/, '').split('/').at(-1)!;
  return /[\p{L}\p{N}]/u.test(last.replaceAll(/\[[^\]]*\]/g, ''));
}

/** Of a folder above: `../` and how the packed one is called from there. */
function placeOf(root: string, folder: string): string {
  const below = relative(root, folder);
  return below.startsWith('..') ? `../${slashes(relative(folder, root))}` : slashes(below);
}

const slashes = (path: string) => path.replaceAll('\\', '/');

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    // A folder of that name is no list of rules.
    if (['ENOENT', 'EISDIR', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}

const ALWAYS_LEFT_OUT = new Set(['.git', 'node_modules', '.lilacignore', '.DS_Store', '__MACOSX']);

/** What no project is made of, and the file that only says where this folder is deployed to. */
export function isNeverPacked({ path }: Entry): boolean {
  return ALWAYS_LEFT_OUT.has(basename(path)) || path === 'lilac.json';
}

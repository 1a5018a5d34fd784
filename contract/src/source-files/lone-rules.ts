import ignore, { type Ignore } from 'ignore';

/**
 * What the rules of one file say of a path alone, as git asks them: whether the folders above it are left out was
 * decided when they were come to, maybe by rules of another file.
 */
export class LoneRules {
  readonly #text: string;
  readonly #plain: Ignore;
  readonly #within = new Map<string, Ignore>();

  constructor(text: string) {
    this.#text = text;
    this.#plain = create(text);
  }

  /** A folder has a slash at its end. */
  test(path: string): { ignored: boolean; unignored: boolean } {
    return this.#rulesWithin(folderOf(path)).test(path);
  }

  /** The library hands down that a folder is left out; where its own rules say so, it is told otherwise. */
  #rulesWithin(folder: string): Ignore {
    if (folder === '' || !this.#plain.ignores(`${folder}/`)) return this.#plain;
    const known = this.#within.get(folder);
    if (known) return known;
    const rules = create(`${this.#text}\n${foldersTo(folder).map(takingIn).join('\n')}`);
    this.#within.set(folder, rules);
    return rules;
  }
}

/** Without a slash at its end; empty at the top. */
const folderOf = (path: string): string => path.replace(/\/$/, '').split('/').slice(0, -1).join('/');

const create = (text: string): Ignore => ignore({ ignorecase: false }).add(text);

/** `a`, `a/b` and `a/b/c`. */
function foldersTo(folder: string): string[] {
  const names = folder.split('/');
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

/** The one folder of that name and nothing in it. */
const takingIn = (folder: string): string => `!/${folder.replaceAll(/[\\*?[\]!# ]/g, String.raw`\$&`)}/`;

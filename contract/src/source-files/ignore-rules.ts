import { LoneRules } from './lone-rules.ts';

export interface SourceEntry {
  /** From the folder that is packed, with forward slashes. */
  path: string;
  isFolder: boolean;
}

/** The files of one folder that hold rules, as they are written; empty where there is none. */
export interface RuleTexts {
  gitignore: string;
  lilacignore: string;
}

/** The rules of one folder, for paths from there. */
interface FolderRules {
  /** From the folder that is packed; begins with `../` above it. */
  folder: string;
  rules: LoneRules;
  /** What `.lilacignore` alone says, without what takes in whatever there is. */
  own: LoneRules;
}

/** What `.gitignore` and `.lilacignore` leave out, at every level; the innermost rule that matches counts. */
export class IgnoreRules {
  static readonly none = new IgnoreRules([]);
  readonly #levels: readonly FolderRules[];

  private constructor(levels: readonly FolderRules[]) {
    this.#levels = levels;
  }

  /**
   * Those of a further folder, the outer ones first. One above the packed one is `../` and how that is called there.
   */
  with(folder: string, texts: RuleTexts): IgnoreRules {
    const [shared, own] = [texts.gitignore, texts.lilacignore].map((text) => text.replace(/^\uFEFF/, ''));
    if (!shared && !own) return this;
    const rules = new LoneRules(`${shared}\n${own}`);
    return new IgnoreRules([...this.#levels, { folder, rules, own: new LoneRules(namedIn(own!)) }]);
  }

  ignores(entry: SourceEntry): boolean {
    for (const level of this.#levels.toReversed()) {
      const path = pathFrom(level, entry);
      if (path === '') continue;
      const { ignored, unignored } = level.rules.test(path);
      if (ignored || unignored) return ignored;
    }
    return false;
  }

  /** Whether a `.lilacignore` says with `!` and by name that it is wanted. */
  wantsExpressly(entry: SourceEntry): boolean {
    return this.#levels.some((level) => level.own.test(pathFrom(level, entry)).unignored);
  }
}

function pathFrom({ folder }: FolderRules, { path, isFolder }: SourceEntry): string {
  const inner = folder.startsWith('../')
    ? `${folder.slice(3)}/${path}`
    : path.slice(folder === '' ? 0 : folder.length + 1);
  return isFolder ? `${inner.replace(/\/$/, '')}/` : inner;
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

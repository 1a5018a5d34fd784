import type { LogBuffer } from './buffer.ts';

/** The numbers of the lines that hold a text, whichever its case. Asked again, it looks only at what came since. */
export class LogSearch {
  readonly #pattern: RegExp | null;
  #matches: number[] = [];
  #generation = -1;
  #scanned = 0;

  constructor(query: string) {
    this.#pattern = patternOf(query);
  }

  update({ lines, firstNumber, generation }: LogBuffer): readonly number[] {
    if (!this.#pattern) return [];
    if (generation !== this.#generation) [this.#matches, this.#scanned] = [[], 0];
    this.#generation = generation;
    const found = this.#scanned < lines.length ? [...this.#matches] : this.#matches;
    for (; this.#scanned < lines.length; this.#scanned++) {
      if (this.#pattern.test(lines[this.#scanned]!.plain)) found.push(firstNumber + this.#scanned);
    }
    this.#matches = found;
    return found;
  }
}

/** Null where nothing is looked for. */
export function patternOf(query: string, flags = 'i'): RegExp | null {
  if (query === '') return null;
  return new RegExp(query.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`), flags);
}

/** Which of the matches is the next, from a line that need not be one; around the ends. Null where there is none. */
export function nextMatch(matches: readonly number[], from: number, direction: 1 | -1): number | null {
  if (matches.length === 0) return null;
  if (direction === 1) return matches.find((number) => number > from) ?? matches[0]!;
  return matches.findLast((number) => number < from) ?? matches.at(-1)!;
}

/** What people type after a colon: `:120`, `:120-130`. */
export function linesAskedFor(query: string): string | null {
  const found = /^:(\d+)(?:-(\d+))?$/.exec(query.trim());
  return found ? `#L${found[1]}${found[2] ? `-L${found[2]}` : ''}` : null;
}

import { readCharacterClass } from './character-class.ts';
import { GlobAutomaton, type Part } from './glob-automaton.ts';

const notSlash = (code: number): boolean => code !== SLASH;
const SLASH = 47;
const anything = (): boolean => true;

const star: Part = { kind: 'run', takes: notSlash };
const globstar: Part = { kind: 'run', takes: anything };
const nothing: Part = { kind: 'all', parts: [] };
/** `**` with a slash behind it: one folder or several, or none. */
const folders: Part = either([nothing, all([globstar, letter('/')])]);

/** What a piece of a pattern was, to what stands behind it. */
type Kind = 'start' | 'text' | 'slash' | 'star' | 'class' | 'brace' | 'comma' | 'paren';

/**
 * A pattern for names of branches: `*` and `?` stay between two slashes, `**` does not where it stands alone between
 * them, `[…]` is one letter, `{a,b}` and `(a|b)` are either, a `+` behind brackets is once or more often, and a
 * backslash takes any of them for the letter it is. Brackets that do not close are letters. Null when it can name
 * nothing: `[z-a]`.
 */
export function compileBranchGlob(glob: string): GlobAutomaton | null {
  const reader = new GlobReader(glob);
  const whole = reader.read();
  return whole && new GlobAutomaton(whole);
}

class GlobReader {
  readonly #glob: string;
  readonly #closers: ReadonlyMap<number, number>;
  #at = 0;
  /** Of all that was read, the last two: around groups and in them alike. */
  #last: Kind = 'start';
  #before: Kind = 'start';
  #braces = 0;
  #parens = 0;
  #isBroken = false;

  constructor(glob: string) {
    this.#glob = glob;
    this.#closers = findClosers(glob);
  }

  read(): Part | null {
    // Two stars before nothing but endings stand for folders, too.
    const ending = /^\*\*((?:\.\w+)+)$/.exec(this.#glob)?.[1];
    if (ending !== undefined) return all([globstar, ...Array.from(ending, (char) => letter(char))]);
    const [whole] = this.#readUntil(this.#glob.length, null);
    return this.#isBroken ? null : whole!;
  }

  /** Up to there; in several where a separator stands. */
  #readUntil(end: number, separator: ',' | '|' | null): Part[] {
    const alternatives: Part[][] = [[]];
    while (this.#at < end) {
      const parts = alternatives.at(-1)!;
      const char = this.#glob[this.#at]!;
      if (char === separator) {
        this.#at++;
        this.#note(char === ',' ? 'comma' : 'text');
        alternatives.push([]);
      } else if (char === '*') this.#readStars(parts);
      else if (char === '+' && this.#isRepeating(parts)) {
        this.#at++;
        parts.push({ kind: 'repeated', part: parts.pop()! });
        this.#note('text');
      } else parts.push(...this.#readOne(char, parts));
    }
    return alternatives.map(all);
  }

  #readOne(char: string, parts: Part[]): Part[] {
    const close = this.#closers.get(this.#at);
    if (char === '[' && close !== undefined) return [this.#readClass(close)];
    if (char === '{' && close !== undefined) return [this.#readBraces(close)];
    if (char === '(' && close !== undefined) return [this.#readParens(close)];
    this.#at++;
    if (char === '?' && this.#last === 'paren' && parts.length > 0) {
      this.#note('text');
      return [either([nothing, parts.pop()!])];
    }
    const escaped = char === '\\' ? this.#glob[this.#at] : undefined;
    if (escaped !== undefined) this.#at++;
    this.#note((escaped ?? char) === '/' ? 'slash' : kindOf(escaped ?? char));
    return [char === '?' ? { kind: 'one', takes: notSlash } : letter(escaped ?? char)];
  }

  #readClass(close: number): Part {
    const takes = readCharacterClass(this.#glob.slice(this.#at + 1, close));
    if (!takes) this.#isBroken = true;
    this.#at = close + 1;
    this.#note('class');
    return { kind: 'one', takes: takes ?? anything };
  }

  #readBraces(close: number): Part {
    const inside = this.#glob.slice(this.#at + 1, close);
    const range = /^([^{}])\.\.([^{}])$/.exec(inside);
    if (range) {
      const [low, high] = [range[1]!, range[2]!].toSorted();
      this.#at = close + 1;
      this.#note('brace');
      const takes = readCharacterClass(`${low}-${high}`);
      return { kind: 'one', takes: takes ?? anything };
    }
    this.#pass('brace');
    this.#braces++;
    const alternatives = this.#readUntil(close, ',');
    this.#pass('brace');
    this.#braces--;
    // Without a comma they are letters.
    return alternatives.length > 1 ? either(alternatives) : all([letter('{'), ...alternatives, letter('}')]);
  }

  #readParens(close: number): Part {
    this.#pass('paren');
    this.#parens++;
    const alternatives = this.#readUntil(close, '|');
    this.#pass('paren');
    this.#parens--;
    return either(alternatives);
  }

  #readStars(parts: Part[]): void {
    const length = /^\*+/.exec(this.#glob.slice(this.#at))![0].length;
    this.#at += length;
    if (length !== 2 || !this.#mayBeGlobstar()) {
      this.#note('star');
      parts.push(star);
      return;
    }
    this.#skipRepeated();
    this.#readGlobstar(parts);
  }

  /** Alone at the beginning of a part, as far as what stands before it says. */
  #mayBeGlobstar(): boolean {
    const isInBraces = this.#braces > 0 && (this.#last === 'comma' || this.#last === 'brace');
    return this.#last === 'start' || this.#last === 'slash' || this.#last === 'paren' || isInBraces;
  }

  /** A `/**` that is repeated means what one means. */
  #skipRepeated(): void {
    while (/^\/\*\*(?:\/|$)/.test(this.#rest)) this.#at += 3;
  }

  #readGlobstar(parts: Part[]): void {
    const rest = this.#rest;
    const isBehindPart = this.#last === 'slash' && this.#before !== 'start';
    const isEnd = rest === '' || (this.#parens > 0 && rest === ')'.repeat(this.#parens));
    if (isBehindPart && this.#before !== 'star' && isEnd) {
      // `a/**` is `a` as well.
      parts.push(either([nothing, all([parts.pop()!, globstar])]));
    } else if (rest.startsWith('/') && (isBehindPart || this.#last === 'start')) {
      this.#at++;
      this.#note('star');
      this.#note('slash');
      parts.push(folders);
      return;
    } else parts.push(this.#isAlone(rest) ? globstar : star);
    this.#note('star');
  }

  #isAlone(rest: string): boolean {
    return rest === '' || /^[/(){]/.test(rest) || (this.#braces > 0 && /^[,}]/.test(rest));
  }

  #isRepeating(parts: readonly Part[]): boolean {
    if (parts.length === 0 || this.#last === 'star') return false;
    return this.#parens > 0 || this.#last === 'class' || this.#last === 'paren' || this.#last === 'brace';
  }

  get #rest(): string {
    return this.#glob.slice(this.#at);
  }

  #pass(kind: Kind): void {
    this.#at++;
    this.#note(kind);
  }

  #note(kind: Kind): void {
    this.#before = this.#last;
    this.#last = kind;
  }
}

function kindOf(char: string): Kind {
  return char === '(' || char === ')' ? 'paren' : 'text';
}

function letter(char: string): Part {
  return { kind: 'one', takes: char.charCodeAt(0) };
}

function all(parts: readonly Part[]): Part {
  return { kind: 'all', parts };
}

function either(parts: readonly Part[]): Part {
  return { kind: 'either', parts };
}

/** Where each bracket that is closed is closed. */
function findClosers(glob: string): Map<number, number> {
  const closers = new Map<number, number>();
  const open: number[] = [];
  for (let at = 0; at < glob.length; at++) {
    const char = glob[at]!;
    if (char === '\\') at++;
    else if (char === '[') {
      const close = endOfClass(glob, at);
      if (close === null) continue;
      closers.set(at, close);
      at = close;
    } else if (char === '{' || char === '(') open.push(at);
    else if (char === '}' || char === ')') {
      const opener = open.findLastIndex((each) => glob[each] === (char === '}' ? '{' : '('));
      if (opener < 0) continue;
      closers.set(open[opener]!, at);
      open.length = opener;
    }
  }
  return closers;
}

/** The first `]` may be a letter of the class; so is that of `[:alpha:]`. */
function endOfClass(glob: string, start: number): number | null {
  const inside = /^\[\^?\]?(?:\[:[a-z]+:\]|\\.|[^\]\\])*\]/s.exec(glob.slice(start));
  return inside && start + inside[0].length - 1;
}

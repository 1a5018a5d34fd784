export interface Token {
  kind: 'word' | 'string' | 'sign';
  /** Of a string: what is between the quotes. */
  text: string;
  line: number;
}

const MAX_TOKENS = 20_000;
/** What looks like the beginning of one mostly divides: so far its end is looked for. */
const MAX_PATTERN_CHARACTERS = 1000;
const SIGNS = /=>|={2,3}|!==?|\.{3}|\?\?=?|\?\.|&&|\|\||[^\s]/y;
const WORD = /[\p{L}\p{N}_$#@]+/uy;
const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y;
const SPACE = /\s+/y;
const FLAGS = /[a-z]*/y;

/**
 * The words, strings and signs of JavaScript or TypeScript; comments are left out. Enough to read settings
 * out of a config file without running it.
 */
export function tokenise(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let line = 1;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    if (match) {
      at = pattern.lastIndex;
      line += countLines(match[0]);
    }
    return match;
  };
  const endOfQuoted = createQuoteFinder(source);
  while (at < source.length && tokens.length < MAX_TOKENS) {
    if (take(SPACE) || take(COMMENT)) continue;
    const startLine = line;
    const quoteEnd = endOfQuoted(at);
    const patternEnd = quoteEnd === null && isValueExpected(tokens.at(-1)) ? endOfPattern(source, at) : null;
    if (quoteEnd !== null) {
      const inner = source.slice(at + 1, quoteEnd - 1);
      tokens.push({ kind: 'string', text: unescape(inner), line: startLine });
      line += countLines(inner);
      at = quoteEnd;
    } else if (patternEnd !== null) {
      at = patternEnd;
      take(FLAGS);
    } else {
      const word = take(WORD);
      const found = word ?? take(SIGNS);
      tokens.push({ kind: word ? 'word' : 'sign', text: found?.[0] ?? source[at++] ?? '', line: startLine });
    }
  }
  return tokens;
}

/**
 * Finds where a text in quotes ends; null where none begins, or nothing closes it. A quote that nothing closes is
 * looked for once: whichever follows it up to there was passed over behind a backslash, and is not closed either.
 */
function createQuoteFinder(source: string): (at: number) => number | null {
  const openUpTo: Record<string, number> = { '"': 0, "'": 0, '`': 0 };
  return (start) => {
    const quote = source[start]!;
    const known = openUpTo[quote];
    if (known === undefined || start < known) return null;
    let at = start + 1;
    for (let sign; (sign = source[at]) !== undefined && sign !== quote; at += sign === '\\' ? 2 : 1) {
      if (sign === '\n' && quote !== '`') break;
    }
    if (source[at] === quote) return at + 1;
    openUpTo[quote] = at;
    return null;
  };
}

/** Behind its second slash; null where none begins. Slashes between brackets and behind backslashes do not end it. */
function endOfPattern(source: string, start: number): number | null {
  if (source[start] !== '/') return null;
  const limit = Math.min(source.length, start + MAX_PATTERN_CHARACTERS);
  let isBetweenBrackets = false;
  for (let at = start + 1; at < limit; at++) {
    const character = source[at];
    if (character === '\n') return null;
    if (character === '\\') {
      if (source[++at] === '\n') return null;
    } else if (character === '[') isBetweenBrackets = true;
    else if (character === ']') isBetweenBrackets = false;
    else if (character === '/' && !isBetweenBrackets) return at === start + 1 ? null : at + 1;
  }
  return null;
}

/** A slash begins a pattern where a value may stand, and divides elsewhere. */
function isValueExpected(previous: Token | undefined): boolean {
  if (!previous) return true;
  if (previous.kind === 'word') return previous.text === 'return';
  return previous.kind === 'sign' && ![')', ']', '}'].includes(previous.text);
}

function unescape(text: string): string {
  return text.replaceAll(/\\(.)/g, '$1');
}

function countLines(text: string): number {
  return text.split('\n').length - 1;
}

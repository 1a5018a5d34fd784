export interface Token {
  kind: 'word' | 'string' | 'sign';
  /** Of a string: what is between the quotes. */
  text: string;
  line: number;
}

const MAX_TOKENS = 20_000;
const SIGNS = /=>|={2,3}|!==?|\.{3}|\?\?=?|\?\.|&&|\|\||[^\s]/y;
const WORD = /[\p{L}\p{N}_$#@]+/uy;
const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y;
const QUOTED = /"((?:[^"\\\n]|\\[\s\S])*)"|'((?:[^'\\\n]|\\[\s\S])*)'|`((?:[^`\\]|\\[\s\S])*)`/y;
const PATTERN = /\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const SPACE = /\s+/y;

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
  while (at < source.length && tokens.length < MAX_TOKENS) {
    if (take(SPACE) || take(COMMENT)) continue;
    const startLine = line;
    const quoted = take(QUOTED);
    const text = quoted ? unescape(quoted[1] ?? quoted[2] ?? quoted[3] ?? '') : null;
    if (text !== null) tokens.push({ kind: 'string', text, line: startLine });
    else if (isValueExpected(tokens.at(-1)) && take(PATTERN)) continue;
    else {
      const word = take(WORD);
      const found = word ?? take(SIGNS);
      tokens.push({ kind: word ? 'word' : 'sign', text: found?.[0] ?? source[at++] ?? '', line: startLine });
    }
  }
  return tokens;
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

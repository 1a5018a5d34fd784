const QUERY = String.raw`(?:select|with|values)\b`;
/** It runs what it explains, and of a table it writes down what it has counted. */
const ANALYSED = String.raw`analyze\s(?:\s*format\s*=\s*\w+\s)?[\s(]*${QUERY}`;

const READING = new RegExp(`(?:${QUERY}|${ANALYSED}|(?:show|explain|describe|desc|help)\\b)`, 'iy');

/**
 * What begins like one may still be none; but much that begins otherwise answers rows and is held by no transaction:
 * what is done to tables as a whole, say.
 */
export function beginsLikeReading(text: string): boolean {
  READING.lastIndex = beginningOf(text);
  return READING.test(text);
}

const SPACE = /[\s(]+/y;
const LINE_COMMENT = /(?:#|--(?=\s))[^\n]*/y;
/** Those that the server runs are none. */
const COMMENT = /\/\*(?!M?!)/iy;

/** Behind spaces, brackets and comments: each is looked at once, and ends where the server ends it. */
function beginningOf(text: string): number {
  for (let at = 0; ;) {
    const end = endAt(SPACE, text, at) ?? endAt(LINE_COMMENT, text, at) ?? endOfComment(text, at);
    if (end === null) return at;
    at = end;
  }
}

function endOfComment(text: string, at: number): number | null {
  const begun = endAt(COMMENT, text, at);
  const closed = begun === null ? -1 : text.indexOf('*/', begun);
  return closed === -1 ? null : closed + 2;
}

function endAt(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}

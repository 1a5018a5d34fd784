/** What `[:alpha:]` and the like stand for. */
const NAMED: ReadonlyMap<string, string> = new Map([
  ['alnum', 'a-zA-Z0-9'],
  ['alpha', 'a-zA-Z'],
  ['ascii', '\0-\u007F'],
  ['digit', '0-9'],
  ['graph', '!-~'],
  ['lower', 'a-z'],
  ['print', ' -~'],
  ['punct', '!-/:-@\\[-`{-~'],
  ['upper', 'A-Z'],
  ['word', 'A-Za-z0-9_'],
  ['xdigit', 'A-Fa-f0-9'],
]);

/** What stands between `[` and `]`: letters, `a-z`, `[:alpha:]`; all others behind a `^`. Null when it can be none. */
export function readCharacterClass(inside: string): ((code: number) => boolean) | null {
  const isNegated = inside.startsWith('^');
  const hasNamed = /\[:[a-z]+:\]/.test(inside);
  const ranges = readRanges(isNegated ? inside.slice(1) : inside);
  if (!ranges) return null;
  const isIn = (code: number): boolean => ranges.some(([low, high]) => low <= code && code <= high);
  if (!isNegated) return isIn;
  // What is not among some letters stays between two slashes.
  return (code) => !isIn(code) && (hasNamed || code !== SLASH);
}

const SLASH = 47;

function readRanges(inside: string): [low: number, high: number][] | null {
  const text = inside.replaceAll(/\[:([a-z]+):\]/g, (whole, name: string) => NAMED.get(name) ?? whole);
  const ranges: [number, number][] = [];
  for (const [, low, high] of text.matchAll(/(\\.|[^])(?:-(\\.|[^]))?/g)) {
    const from = codeOf(low!);
    const to = high === undefined ? from : codeOf(high);
    if (to < from) return null;
    ranges.push([from, to]);
  }
  return ranges;
}

const codeOf = (letter: string): number => letter.charCodeAt(letter.length - 1);

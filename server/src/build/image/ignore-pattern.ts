/** A part of a pattern: a letter, one of some letters, or what stands for several. */
type Token =
  | { kind: 'letter'; letter: string }
  | { kind: 'one'; isIn: (letter: string) => boolean }
  /** `*`: whatever is no slash. */
  | { kind: 'star' }
  /** `**` at the end: whatever there is. */
  | { kind: 'rest' }
  /** Any other `**`: no folder, or some. */
  | { kind: 'folders' };

/** Whether a path is meant, or a folder that it is in. */
export type IgnorePattern = (path: string) => boolean;

/**
 * Reads a pattern of `.dockerignore`; null where it is none. Every letter of a path is looked at once for each part of
 * the pattern, whatever the pattern: nobody can write one that takes for ever.
 */
export function readIgnorePattern(pattern: string): IgnorePattern | null {
  const tokens = readTokens(Array.from(pattern));
  if (tokens === null) return null;
  if (tokens.every(({ kind }) => kind === 'letter')) {
    const name = tokens.map((token) => (token.kind === 'letter' ? token.letter : '')).join('');
    return (path) => path === name || path.startsWith(`${name}/`);
  }
  return (path) => matches(tokens, Array.from(path));
}

function readTokens(letters: readonly string[]): Token[] | null {
  const tokens: Token[] = [];
  for (let at = 0; at < letters.length; at++) {
    const letter = letters[at]!;
    if (letter === '[') {
      const read = readClass(letters, at + 1);
      if (read === null) return null;
      tokens.push({ kind: 'one', isIn: read.isIn });
      at = read.last;
    } else if (letter === '*' && letters[at + 1] === '*') {
      at += letters[at + 2] === '/' ? 2 : 1;
      const kind = at + 1 < letters.length ? 'folders' : 'rest';
      // Several in a row are one: so few can be passed at once.
      if (tokens.at(-1)?.kind !== kind) tokens.push({ kind });
    } else if (letter === '*') tokens.push({ kind: 'star' });
    else if (letter === '?') tokens.push({ kind: 'one', isIn: () => true });
    else tokens.push({ kind: 'letter', letter: letter === '\\' ? (letters[++at] ?? '\\') : letter });
  }
  return tokens;
}

/** `[a-z_]`, `[^0-9]`: what stands between the brackets. Null where it has no end. */
function readClass(
  letters: readonly string[],
  first: number,
): { isIn: (letter: string) => boolean; last: number } | null {
  const isExcluding = letters[first] === '^';
  const ranges: [from: string, to: string][] = [];
  let at = isExcluding ? first + 1 : first;
  const take = () => (letters[at] === '\\' ? letters[(at += 2) - 1] : letters[at++]);
  do {
    const from = take();
    const isRange = letters[at] === '-' && letters[at + 1] !== ']';
    if (isRange) at += 1;
    const to = isRange ? take() : from;
    if (from === undefined || to === undefined || at >= letters.length) return null;
    ranges.push([from, to]);
  } while (letters[at] !== ']');
  const isIn = (letter: string) => ranges.some(([from, to]) => letter >= from && letter <= to) !== isExcluding;
  return { isIn, last: at };
}

/** All places in the pattern that a path can have come to, letter by letter. */
function matches(tokens: readonly Token[], path: readonly string[]): boolean {
  let places = new Set<number>();
  enter(tokens, places, 0);
  for (const letter of path) {
    if (letter === '/' && places.has(tokens.length)) return true;
    const next = new Set<number>();
    for (const place of places) step(tokens, { place, letter, next });
    if (next.size === 0) return false;
    places = next;
  }
  return places.has(tokens.length);
}

/** What may stand for nothing is entered and passed at once. */
function enter(tokens: readonly Token[], places: Set<number>, place: number): void {
  for (let at = place; ; at++) {
    places.add(at);
    const kind = tokens[at]?.kind;
    if (kind !== 'star' && kind !== 'rest' && kind !== 'folders') return;
  }
}

function step(
  tokens: readonly Token[],
  { place, letter, next }: { place: number; letter: string; next: Set<number> },
): void {
  const token = tokens[place];
  if (token === undefined) return;
  if (token.kind === 'letter' && token.letter === letter) enter(tokens, next, place + 1);
  if (token.kind === 'one' && letter !== '/' && token.isIn(letter)) enter(tokens, next, place + 1);
  if ((token.kind === 'star' && letter !== '/') || token.kind === 'rest') enter(tokens, next, place);
  if (token.kind !== 'folders') return;
  // It ends with a slash, and only there.
  next.add(place);
  if (letter === '/') enter(tokens, next, place + 1);
}

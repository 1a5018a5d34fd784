/**
 * How well a text fits what somebody typed: every word of it must be there, if only letter by letter. Null: not at all.
 */
export function fuzzyScore(typed: string, text: string, length = plain(text).length): number | null {
  const words = plain(typed).split(/\s+/).filter(Boolean);
  const candidate = plain(text);
  let sum = 0;
  for (const word of words) {
    const score = scoreOfWord(word, candidate);
    if (score === null) return null;
    sum += score;
  }
  // Of two that fit alike, the shorter is more likely meant.
  return words.length === 0 ? 0 : sum / words.length - Math.min(length, 100) / 100;
}

/** The best first; what fits alike stays in the order given. Some count for shorter than they are. */
export function fuzzyFilter<T>(
  typed: string,
  items: readonly T[],
  textOf: (item: T) => string,
  lengthOf?: (item: T) => number,
): T[] {
  return items
    .flatMap((item) => {
      const score = fuzzyScore(typed, textOf(item), lengthOf?.(item));
      return score === null ? [] : [{ item, score }];
    })
    .toSorted((a, b) => b.score - a.score)
    .map(({ item }) => item);
}

const WHOLE = 100;
const AT_START = 80;
const AT_WORD = 60;
const INSIDE = 40;
const SCATTERED = 20;

function scoreOfWord(word: string, text: string): number | null {
  if (text === word) return WHOLE;
  if (text.startsWith(word)) return AT_START;
  if (!text.includes(word)) return scoreOfScattered(word, text);
  return hasWordFrom(text, word) ? AT_WORD : INSIDE;
}

function hasWordFrom(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) if (isWordStart(text, at)) return true;
  return false;
}

/** Letters in their order, with others between: the fewer gaps, the better; the first letter begins a word. */
function scoreOfScattered(word: string, text: string): number | null {
  let gaps = 0;
  let at = -1;
  for (const letter of word) {
    const next = text.indexOf(letter, at + 1);
    if (next < 0 || (at < 0 && !isWordStart(text, next))) return null;
    if (at >= 0 && next !== at + 1 && !isWordStart(text, next)) gaps++;
    at = next;
  }
  return gaps > 2 ? null : SCATTERED - 5 * gaps;
}

function isWordStart(text: string, at: number): boolean {
  return at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1]!);
}

/** Without capitals and accents: nobody types them to search. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();
}

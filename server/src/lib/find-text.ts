/**
 * What is not longer is left to the engine's own search, which is several times faster for what people look for. For
 * what somebody thought up (`ba…a` in lines of `a`) it looks at each letter as often as the text looked for is long.
 */
const LONGEST_FOR_ENGINE = 24;

/** Tells whether it is in a text, in time that grows with that text alone, whatever the two are. */
export function createTextFinder(wanted: string): (text: string) => boolean {
  if (wanted.length <= LONGEST_FOR_ENGINE) return (text) => text.includes(wanted);
  const borders = bordersOf(wanted);
  return (text) => isIn(text, wanted, borders);
}

/** By Knuth, Morris and Pratt: no letter of the text is gone back to. */
function isIn(text: string, wanted: string, borders: Uint32Array): boolean {
  for (let at = 0, matched = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    while (matched > 0 && wanted.charCodeAt(matched) !== code) matched = borders[matched - 1]!;
    if (wanted.charCodeAt(matched) === code) matched++;
    if (matched === wanted.length) return true;
  }
  return false;
}

/** For each beginning of it, the length of the longest shorter one that it ends with. */
function bordersOf(wanted: string): Uint32Array {
  const borders = new Uint32Array(wanted.length);
  for (let at = 1, length = 0; at < wanted.length; at++) {
    const code = wanted.charCodeAt(at);
    while (length > 0 && wanted.charCodeAt(length) !== code) length = borders[length - 1]!;
    if (wanted.charCodeAt(length) === code) length++;
    borders[at] = length;
  }
  return borders;
}

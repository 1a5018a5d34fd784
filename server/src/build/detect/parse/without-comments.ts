/** How comments begin: `' //'` only behind a space, so that addresses stay. Quotes keep what looks like one. */
export type Mark = '<!--' | '/*' | '//' | ' //' | '"' | "'";

const CLOSINGS = { '<!--': '-->', '/*': '*/' };
const PATTERNS: Record<Mark, string> = {
  '<!--': '<!--',
  '/*': String.raw`\/\*`,
  '//': String.raw`\/\/`,
  ' //': String.raw`(?:^|\s)\/\/`,
  '"': '"',
  "'": "'",
};

/**
 * Each part of the text is looked at once, whatever is in it: of a mark that nothing closes, no other is looked for.
 * What is not closed is left as it is.
 */
export function withoutComments(text: string, marks: readonly Mark[]): string {
  const opening = new RegExp(marks.map((mark) => PATTERNS[mark]).join('|'), 'g');
  const unclosed = new Set<string>();
  const kept: string[] = [];
  let from = 0;
  for (let match; (match = opening.exec(text));) {
    const [mark] = match;
    if (mark === '"' || mark === "'") {
      opening.lastIndex = endOfQuoted(text, opening.lastIndex, mark);
      continue;
    }
    const closing = mark === '<!--' || mark === '/*' ? CLOSINGS[mark] : null;
    if (closing !== null && unclosed.has(closing)) continue;
    const end = text.indexOf(closing ?? '\n', opening.lastIndex);
    if (end === -1 && closing !== null) {
      unclosed.add(closing);
      continue;
    }
    kept.push(text.slice(from, match.index));
    from = end === -1 ? text.length : end + (closing?.length ?? 0);
    opening.lastIndex = from;
  }
  return kept.join('') + text.slice(from);
}

/** Behind the quote that closes it; the end of the text where none does. */
function endOfQuoted(text: string, from: number, quote: string): number {
  let at = from;
  while (at < text.length && text[at] !== quote) at += text[at] === '\\' ? 2 : 1;
  return Math.min(at + 1, text.length);
}

/** What is read by an assistant is paid for by the word: every list and every text has an end. */

export function clip(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength)}… (${text.length - maxLength} more characters)`;
}

/** The last lines, which say why something ended: so many, and so long altogether. */
export function tail(lines: readonly string[], maxLines: number, maxLength = 20_000): string[] {
  const kept: string[] = [];
  let length = 0;
  for (const line of lines.toReversed().slice(0, maxLines)) {
    const short = clip(line, MAX_LINE);
    length += short.length;
    if (length > maxLength) break;
    kept.unshift(short);
  }
  return kept;
}

/** As many as an assistant should read at once; the first one always. */
export function fitting<Item>(items: readonly Item[], maxLength: number): Item[] {
  let length = 0;
  const end = items.findIndex((item, index) => {
    length += JSON.stringify(item).length;
    return index > 0 && length > maxLength;
  });
  return end === -1 ? [...items] : items.slice(0, end);
}

/** As a sentence names them: `A, B and 3 more`. */
export function enumerate(names: readonly string[], maxLength: number): string {
  const named = fitting(names, maxLength);
  const others = names.length - named.length;
  return others === 0 ? named.join(', ') : `${named.join(', ')} and ${others} more`;
}

const MAX_LINE = 1000;

/**
 * The first line that a pattern matches, which begins with `^`. Line by line: with the flag m, what stands for spaces
 * runs over the ends of lines, and a file of empty lines is read once from each of them on.
 */
export function matchLine(text: string, pattern: RegExp): RegExpExecArray | null {
  for (const line of linesOf(text)) {
    const found = pattern.exec(line);
    if (found) return found;
  }
  return null;
}

/** Whether a line has both words, one behind the other. */
export function hasInOrder(text: string, first: RegExp, second: RegExp): boolean {
  return linesOf(text).some((line) => {
    const at = line.search(first);
    return at !== -1 && second.test(line.slice(at + 1));
  });
}

/** What `^` and `$` take for the end of one. */
export function linesOf(text: string): string[] {
  return text.split(/[\n\r\u2028\u2029]/);
}

/** A pattern would look at each slash of a long row, and from it to the end of the row. */
export function withoutEndingSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end--;
  return text.slice(0, end);
}

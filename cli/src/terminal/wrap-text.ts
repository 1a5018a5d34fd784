/** A space at which no line ends; it is written as any other. */
export const TOGETHER = '\u00A0';

/** Broken between words, so that no line is wider; a word that is, has a line of its own. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => line.replaceAll(TOGETHER, ' '));
}

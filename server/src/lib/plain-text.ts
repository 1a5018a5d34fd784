import { stripVTControlCharacters } from 'node:util';

/** Control characters, what turns the order of letters around or is not seen at all, and separators of lines. */
const ODD = /(?![\n\t])[\p{C}\p{Zl}\p{Zp}]/gu;

/** For a terminal: somebody else's text must neither move its cursor nor read as what it is not. Lines stay lines. */
export function plainText(text: string): string {
  return stripVTControlCharacters(text).replaceAll(ODD, '');
}

/** The same where there is room for one line. */
export function plainLine(text: string): string {
  return plainText(text).replaceAll(/[\n\t]/g, ' ');
}

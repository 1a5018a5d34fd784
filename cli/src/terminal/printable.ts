/**
 * What a terminal obeys: colours and cursor movements (CSI), titles and links (OSC), other strings and
 * commands. Each goes whole: without its first character the rest would be left as noise.
 */
const CONTROLS = new RegExp(
  [
    String.raw`(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]`,
    String.raw`(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u009c|\u001b\\)?`,
    String.raw`\u001b[ -/]*[0-~]?`,
    String.raw`\p{Cc}`,
    // Turns the order of what follows around: an address would be read as another.
    String.raw`[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]`,
  ].join('|'),
  'gu',
);

// oxlint-disable-next-line no-control-regex -- this is what a colour is
const COLOUR = /^\u001b\[[\d;:]*m$/;
const RESET = '\u001b[0m';

/** A value may hold anything; a terminal must not obey it. */
export function plainText(text: string): string {
  return text.replaceAll(CONTROLS, (found) => (/^[\t\n\r]$/.test(found) ? ' ' : ''));
}

/** A line of a log: tools colour what they print, and that is all they may do to a terminal. */
export function logLine(text: string, hasColours: boolean): string {
  let isColoured = false;
  const line = text.replaceAll(CONTROLS, (found) => {
    if (found === '\t') return found;
    if (!hasColours || !COLOUR.test(found)) return '';
    isColoured = found !== RESET;
    return found;
  });
  return isColoured ? line + RESET : line;
}

/**
 * A value as it is where that is one line that cannot be misread, else in quotes with escapes, as JSON has
 * them: nothing is lost, and a terminal has nothing to obey.
 */
export function quoteOdd(text: string): string {
  if (text !== '' && text === text.trim() && !/^"|\p{Cc}|[\u2028\u2029]/u.test(text)) return text;
  return JSON.stringify(text).replaceAll(
    /[\p{Cc}\u2028\u2029]/gu,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

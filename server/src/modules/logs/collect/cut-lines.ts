const NEWLINE = 0x0a;

/** How many lines are complete. Nothing is decoded: what is dropped must cost next to nothing. */
export function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}

/** Behind the newline of the line of that number, counted from 1; 0 for none. */
export function endOfLine(bytes: Buffer, number: number): number {
  let end = 0;
  for (let count = 0; count < number; count++) end = bytes.indexOf(NEWLINE, end) + 1;
  return end;
}

/** Behind the last newline. */
export const endOfLines = (bytes: Buffer): number => bytes.lastIndexOf(NEWLINE) + 1;

/** The lines, all of them complete. */
export function decodeLines(bytes: Buffer): string[] {
  const lines = decode(bytes).split('\n');
  lines.pop();
  for (const [index, line] of lines.entries()) if (line.endsWith('\r')) lines[index] = line.slice(0, -1);
  return lines;
}

/** One line without its newline, or a part of one. */
export const decodePart = (bytes: Buffer): string => decode(bytes).replace(/\r$/, '');

/** A program that empties its file while it writes leaves a hole in it, which reads as any number of zeroes. */
function decode(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return bytes.includes(0) ? text.replaceAll(HOLE, '\u{fffd}') : text;
}

// oxlint-disable-next-line no-control-regex
const HOLE = /\0{2,}/g;

/** So much of it, or a little less: no character is cut in two. */
export function wholeCharacters(bytes: Buffer, most: number): number {
  if (bytes.length <= most) return bytes.length;
  let end = most;
  while (end > most - 4 && (bytes[end]! & 0xc0) === 0x80) end--;
  return end;
}

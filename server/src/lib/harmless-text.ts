/** Escape sequences of any kind. */
// oxlint-disable-next-line no-control-regex
const SEQUENCE = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])/g;
// oxlint-disable-next-line no-control-regex
const COLOUR = /^\x1b\[[\d;:]*m$/;
// oxlint-disable-next-line no-control-regex
const HALF_COLOUR = /\x1b(\[[\d;:]*)?$/;
/** Control characters, what turns the direction of text so that it reads as what it is not, and separators of lines. */
const CONTROL =
  // oxlint-disable-next-line no-control-regex
  /[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\x1b(?!\[[\d;:]*m)/g;
/** What hardly any line has. Looked for first: most are given back as they are. */
// oxlint-disable-next-line no-control-regex
const ODD = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

/** The only sequences kept are those that colour; a store cannot hold NUL, and the rest would move cursors. */
export function harmless(line: string): string {
  if (!ODD.test(line)) return line;
  const coloured = line.replaceAll(SEQUENCE, (sequence) => (COLOUR.test(sequence) ? sequence : ''));
  return coloured.replaceAll(CONTROL, '\u{fffd}');
}

/** As many whole characters from the beginning as fit into so many bytes of UTF-8, and no half of a colour. */
export function cutBytes(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  const bytes = Buffer.from(text.slice(0, maxBytes + 1));
  if (bytes.length <= maxBytes) return text;
  let end = maxBytes;
  while ((bytes[end]! & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end).replace(HALF_COLOUR, '');
}

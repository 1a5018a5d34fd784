/** No host nests a tenth of it. */
const MOST_NESTED = 100;
/** As many as the largest body has when it lists paths of files, a few times over. */
const MOST_VALUES = 1_000_000;

const QUOTE = 0x22;
const ESCAPE = 0x5c;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Whether parsing takes time and memory as its size lets expect. Brackets are a hundred times as large in memory as in
 * a body, and nothing else runs while they are parsed; to count them first costs little.
 */
export function isBoundedJson(body: Buffer): boolean {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at];
    if (byte === QUOTE) at = endOfText(body, at);
    else if (byte === COMMA) values++;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth++;
      values++;
    }
    if (depth > MOST_NESTED || values > MOST_VALUES) return false;
  }
  return true;
}

/** Where its closing quote is. Most of a body is text, which is skipped faster than it is looked at. */
function endOfText(body: Buffer, start: number): number {
  for (let at = body.indexOf(QUOTE, start + 1); at !== -1; at = body.indexOf(QUOTE, at + 1)) {
    let escapes = 0;
    while (body[at - 1 - escapes] === ESCAPE) escapes++;
    if (escapes % 2 === 0) return at;
  }
  return body.length;
}

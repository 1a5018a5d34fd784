/** No host nests a tenth of it. */
const MOST_NESTED = 100;
/** As many as the largest body has when it lists paths of files, a few times over. */
const MOST_VALUES = 1_000_000;

const [QUOTE, ESCAPE, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [...Buffer.from('"\\,[]{}')];

/**
 * Whether parsing takes time and memory as its size lets expect. Brackets are a hundred times as large in memory as in
 * a body, and nothing else runs while they are parsed; to count them first costs little.
 */
export function isBoundedJson(body: Buffer): boolean {
  let [depth, values, isText] = [0, 0, false];
  for (let at = 0; at < body.length; at++) {
    const byte = body[at];
    if (isText) {
      if (byte === ESCAPE) at++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
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

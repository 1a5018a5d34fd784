export const MAX_HEAD_BYTES = 16_384;
export const INCOMPLETE = -1;
export const MALFORMED = -2;

const [TAB, LF, CR, SPACE, ZERO, ONE, COLON] = [9, 10, 13, 32, 48, 49, 58] as const;
const VERSION = Buffer.from(' HTTP/1.');
const LINE_ENDS = [' HTTP/1.1\r\n', ' HTTP/1.0\r\n'];
const MAX_METHOD_LENGTH = 32;

const TOKEN = tableOf((code) => /[!#$%&'*+\-.^_`|~0-9A-Za-z]/.test(String.fromCodePoint(code)));
const TARGET = tableOf((code) => code > SPACE && code < 0x7f);
const VALUE = tableOf((code) => code === TAB || (code >= SPACE && code !== 0x7f));

/** The shortest header of interest is `Host:` with its line's end; as many fit into a head. */
const MAX_FOUND = Math.ceil(MAX_HEAD_BYTES / 'Host:\r\n'.length);

/**
 * One pass over the bytes of a request head (RFC 9112): `method target version`, then lines of
 * `token: value`, and nothing else: no folding, no control, no lone CR or LF. On the way it notes where
 * the headers of interest are. It is used again for every head, so that a head costs no memory.
 */
export class HeadScanner {
  methodEnd = 0;
  targetEnd = 0;
  /** Three numbers a header: where its name begins, where that ends, where its value ends. */
  readonly places = new Int32Array(3 * MAX_FOUND);
  placeCount = 0;
  readonly #isOfInterest: Uint8Array;
  #bytes: Uint8Array = VERSION;
  #limit = 0;

  /** In lower case. What is noted may be another header of the same length and first letter. */
  constructor(names: readonly string[]) {
    this.#isOfInterest = new Uint8Array(32 * 32);
    for (const name of names) this.#isOfInterest[keyOf(name.length, name.codePointAt(0)!)] = 1;
  }

  /** Where the head ends, past its blank line. */
  scan(bytes: Uint8Array, start: number): number {
    this.#bytes = bytes;
    this.#limit = Math.min(bytes.length, start + MAX_HEAD_BYTES);
    this.placeCount = 0;
    let at = this.#scanRequestLine(start);
    while (at >= 0) {
      if (at + 1 >= this.#limit) return at === this.#limit || mayBegin(bytes[at]!) ? INCOMPLETE : MALFORMED;
      if (bytes[at] === CR) return bytes[at + 1] === LF ? at + 2 : MALFORMED;
      at = this.#scanHeader(at);
    }
    return at;
  }

  #scanRequestLine(start: number): number {
    const bytes = this.#bytes;
    this.methodEnd = this.#skip(TOKEN, start);
    if (this.methodEnd === this.#limit) return INCOMPLETE;
    const length = this.methodEnd - start;
    if (length === 0 || length > MAX_METHOD_LENGTH || bytes[this.methodEnd] !== SPACE) return MALFORMED;
    this.targetEnd = this.#skip(TARGET, this.methodEnd + 1);
    const end = this.targetEnd + VERSION.length;
    if (end + 2 >= this.#limit) return this.#isVersionBegun() ? INCOMPLETE : MALFORMED;
    for (let at = 0; at < VERSION.length; at++) if (bytes[this.targetEnd + at] !== VERSION[at]) return MALFORMED;
    const isKnown = (bytes[end] === ZERO || bytes[end] === ONE) && this.targetEnd > this.methodEnd + 1;
    return isKnown && bytes[end + 1] === CR && bytes[end + 2] === LF ? end + 3 : MALFORMED;
  }

  /** Whether the last bytes may become the end of a request line. */
  #isVersionBegun(): boolean {
    const line = Buffer.from(this.#bytes.subarray(this.targetEnd, this.#limit)).toString('latin1');
    return LINE_ENDS.some((end) => end.startsWith(line));
  }

  /** Where the next line begins. */
  #scanHeader(start: number): number {
    const bytes = this.#bytes;
    const colon = this.#skip(TOKEN, start);
    if (colon === this.#limit) return INCOMPLETE;
    if (colon === start || bytes[colon] !== COLON) return MALFORMED;
    const end = this.#skip(VALUE, colon + 1);
    if (end + 1 >= this.#limit) return end === this.#limit || bytes[end] === CR ? INCOMPLETE : MALFORMED;
    if (bytes[end] !== CR || bytes[end + 1] !== LF) return MALFORMED;
    if (colon - start < 32 && this.#isOfInterest[keyOf(colon - start, bytes[start]!)] === 1)
      this.#note(start, colon, end);
    return end + 2;
  }

  #note(start: number, colon: number, end: number): void {
    const at = 3 * this.placeCount++;
    this.places[at] = start;
    this.places[at + 1] = colon;
    this.places[at + 2] = end;
  }

  #skip(table: Uint8Array, from: number): number {
    const bytes = this.#bytes;
    const limit = this.#limit;
    let at = from;
    while (at < limit && table[bytes[at]!] === 1) at++;
    return at;
  }
}

/** A header's name, or the blank line. */
function mayBegin(code: number): boolean {
  return code === CR || TOKEN[code] === 1;
}

/** Letters differ in these bits, whatever their case. */
function keyOf(length: number, firstLetter: number): number {
  return length * 32 + (firstLetter & 31);
}

function tableOf(isIn: (code: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) => (isIn(code) ? 1 : 0));
}

export const MAX_HEAD_BYTES = 16_384;
export const INCOMPLETE = -1;
export const MALFORMED = -2;

const [TAB, LF, CR, SPACE, COLON] = [9, 10, 13, 32, 58] as const;

export const TOKEN = tableOf((code) => /[!#$%&'*+\-.^_`|~0-9A-Za-z]/.test(String.fromCodePoint(code)));
export const VALUE = tableOf((code) => code === TAB || (code >= SPACE && code !== 0x7f));

/** The shortest line of interest is `te:` with its line's end; as many fit into a head. */
const SHORTEST_LINE = 'te:\r\n'.length;
/** Names of this length or more are told apart by their first letter only. */
const LONGEST = 31;

export interface HeadScannerOptions {
  /**
   * Names of interest, in lower case. What is noted may be another header of the same length and first letter.
   * With a `*` behind it: all that begin with the same letter and are not shorter.
   */
  names: readonly string[];
  maxBytes: number;
}

/**
 * One pass over the bytes of a head (RFC 9112): a first line, then lines of `token: value`, and nothing
 * else: no folding, no control, no lone CR or LF. On the way it notes where the headers of interest are.
 * It is used again for every head, so that a head costs no memory.
 */
export abstract class HeadScanner {
  /** Three numbers a header: where its name begins, where that ends, where its value ends. */
  readonly places: Int32Array;
  placeCount = 0;
  protected bytes: Uint8Array = TOKEN;
  protected limit = 0;
  readonly #maxBytes: number;
  readonly #isOfInterest = new Uint8Array(32 * 32);

  constructor({ names, maxBytes }: HeadScannerOptions) {
    this.#maxBytes = maxBytes;
    this.places = new Int32Array(3 * Math.ceil(maxBytes / SHORTEST_LINE));
    for (const name of names) this.#beInterestedIn(name);
  }

  /** Where the head ends, past its blank line. */
  scan(bytes: Uint8Array, start: number, end: number): number {
    this.bytes = bytes;
    this.limit = Math.min(end, start + this.#maxBytes);
    this.placeCount = 0;
    let at = this.scanFirstLine(start);
    while (at >= 0) {
      if (at + 1 >= this.limit) return at === this.limit || mayBegin(bytes[at]!) ? INCOMPLETE : MALFORMED;
      if (bytes[at] === CR) return bytes[at + 1] === LF ? at + 2 : MALFORMED;
      at = this.#scanHeader(at);
    }
    return at;
  }

  /** Where the second line begins. */
  protected abstract scanFirstLine(start: number): number;

  protected skip(table: Uint8Array, from: number): number {
    const { bytes, limit } = this;
    let at = from;
    while (at < limit && table[bytes[at]!] === 1) at++;
    return at;
  }

  /** Where the next line begins. */
  #scanHeader(start: number): number {
    const { bytes, limit } = this;
    const colon = this.skip(TOKEN, start);
    if (colon === limit) return INCOMPLETE;
    if (colon === start || bytes[colon] !== COLON) return MALFORMED;
    const end = this.skip(VALUE, colon + 1);
    if (end + 1 >= limit) return end === limit || bytes[end] === CR ? INCOMPLETE : MALFORMED;
    if (bytes[end] !== CR || bytes[end + 1] !== LF) return MALFORMED;
    if (this.#isOfInterest[keyOf(colon - start, bytes[start]!)] === 1) this.#note(start, colon, end);
    return end + 2;
  }

  #note(start: number, colon: number, end: number): void {
    const at = 3 * this.placeCount++;
    this.places[at] = start;
    this.places[at + 1] = colon;
    this.places[at + 2] = end;
  }

  #beInterestedIn(name: string): void {
    const letter = name.codePointAt(0)!;
    const isAnyLength = name.endsWith('*');
    const shortest = isAnyLength ? name.length - 1 : name.length;
    for (let length = shortest; length <= (isAnyLength ? LONGEST : shortest); length++)
      this.#isOfInterest[keyOf(length, letter)] = 1;
  }
}

/** A header's name, or the blank line. */
function mayBegin(code: number): boolean {
  return code === CR || TOKEN[code] === 1;
}

/** Letters differ in these bits, whatever their case. */
function keyOf(length: number, firstLetter: number): number {
  return (length < LONGEST ? length : LONGEST) * 32 + (firstLetter & 31);
}

export function tableOf(isIn: (code: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) => (isIn(code) ? 1 : 0));
}

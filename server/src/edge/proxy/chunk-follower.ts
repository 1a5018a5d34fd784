import { MALFORMED, TOKEN, VALUE } from '../front/head-scanner.ts';

const [LF, CR, COLON, SEMICOLON, EQUALS] = [10, 13, 58, 59, 61] as const;
const HEX = Int8Array.from({ length: 256 }, (_, code) => {
  const digit = Number.parseInt(String.fromCodePoint(code), 16);
  return Number.isNaN(digit) ? -1 : digit;
});
/** Sixteen to the power of this is the largest chunk. */
const MAX_DIGITS = 8;
const MAX_EXTENSION_BYTES = 256;
const MAX_TRAILER_BYTES = 8192;
/** In a trailer, they would change what has been read already. */
const NOT_IN_TRAILERS = new Set(['content-length', 'transfer-encoding', 'host', 'connection', 'upgrade']);

const SIZE = 0;
const EXTENSION = 1;
const SIZE_CR = 2;
const SIZE_LF = 3;
const DATA = 4;
const DATA_CR = 5;
const DATA_LF = 6;
const TRAILERS = 7;
const TRAILER_NAME = 8;
const TRAILER_VALUE = 9;
const TRAILER_LF = 10;
const LAST_CR = 11;
const LAST_LF = 12;

/**
 * Follows a chunked body (RFC 9112, 7.1) by one strict grammar, without copying it. It is used again for
 * every body. Extensions and trailers are for the next hop only: they are dropped, so that the rest is a
 * chunked body again.
 */
export class ChunkFollower {
  isOver = false;
  /** Whether the bytes that come next are not to be passed on. */
  isDropping = false;
  #isDataOnly = false;
  #state = SIZE;
  #left = 0;
  /** The length of a line so far. */
  #count = 0;
  /** Whether a name or a value of an extension has begun; a value must have a name before it. */
  #isInWord = false;
  #isInValue = false;
  #name = '';

  begin(isDataOnly = false): void {
    this.isOver = false;
    this.#isDataOnly = isDataOnly;
    this.#beginSize();
  }

  /** Where the run of bytes ends that are all to be passed on, or all not; or `MALFORMED`. */
  follow(bytes: Uint8Array, from: number, to: number): number {
    const wasDropping = this.isDropping;
    let at = from;
    while (at < to && !this.isOver && this.isDropping === wasDropping) {
      at = this.#state === DATA ? this.#passData(at, to) : this.#step(bytes[at]!, at);
      if (at < 0) return MALFORMED;
    }
    return at;
  }

  #passData(at: number, to: number): number {
    const passed = Math.min(this.#left, to - at);
    this.#left -= passed;
    if (this.#left === 0) this.#enter(DATA_CR);
    return at + passed;
  }

  /** One byte further, or none where it begins something else. */
  #step(code: number, at: number): number {
    switch (this.#state) {
      case SIZE:
        return this.#takeSize(code, at);
      case EXTENSION:
        return this.#takeExtension(code, at);
      case SIZE_CR:
        return this.#expect(code === CR, SIZE_LF, at);
      case SIZE_LF:
        return this.#expect(code === LF, this.#left === 0 ? TRAILERS : DATA, at);
      case DATA_CR:
        return this.#expect(code === CR, DATA_LF, at);
      case DATA_LF:
        if (code !== LF) return MALFORMED;
        this.#beginSize();
        return at + 1;
      default:
        return this.#stepInTrailers(code, at);
    }
  }

  #takeSize(code: number, at: number): number {
    const digit = HEX[code]!;
    if (digit >= 0) {
      this.#left = this.#left * 16 + digit;
      return ++this.#count > MAX_DIGITS ? MALFORMED : at + 1;
    }
    if (this.#count === 0) return MALFORMED;
    this.#count = 0;
    this.#isInWord = this.#isInValue = false;
    if (code === CR) this.#enter(SIZE_CR);
    else if (code === SEMICOLON) this.#enter(EXTENSION);
    else return MALFORMED;
    return at;
  }

  /** `;name` or `;name=value`, as often as it likes: whatever is more is nothing that anybody sends. */
  #takeExtension(code: number, at: number): number {
    if (this.#count++ > MAX_EXTENSION_BYTES) return MALFORMED;
    if (TOKEN[code] === 1) {
      if (this.#count === 1) return MALFORMED;
      this.#isInWord = true;
      return at + 1;
    }
    if (this.#count > 1 && !this.#isInWord) return MALFORMED;
    this.#isInWord = false;
    if (code === EQUALS && !this.#isInValue) this.#isInValue = true;
    else if (code === SEMICOLON) this.#isInValue = false;
    else if (code === CR) {
      this.#enter(SIZE_CR);
      return at;
    } else return MALFORMED;
    return at + 1;
  }

  #stepInTrailers(code: number, at: number): number {
    if (++this.#count > MAX_TRAILER_BYTES) return MALFORMED;
    switch (this.#state) {
      case TRAILERS:
        this.#name = '';
        this.#enter(code === CR ? LAST_CR : TRAILER_NAME);
        return at;
      case TRAILER_NAME:
        return this.#takeTrailerName(code, at);
      case TRAILER_VALUE:
        return VALUE[code] === 1 ? at + 1 : this.#expect(code === CR, TRAILER_LF, at);
      case TRAILER_LF:
        return this.#expect(code === LF, TRAILERS, at);
      case LAST_CR:
        return this.#expect(code === CR, LAST_LF, at);
      default:
        this.isOver = code === LF;
        return this.isOver ? at + 1 : MALFORMED;
    }
  }

  #takeTrailerName(code: number, at: number): number {
    if (TOKEN[code] === 1) {
      this.#name += String.fromCodePoint(code);
      return at + 1;
    }
    const isName = this.#name !== '' && !NOT_IN_TRAILERS.has(this.#name.toLowerCase());
    return this.#expect(code === COLON && isName, TRAILER_VALUE, at);
  }

  #expect(isSo: boolean, next: number, at: number): number {
    if (!isSo) return MALFORMED;
    this.#enter(next);
    return at + 1;
  }

  #beginSize(): void {
    this.#left = 0;
    this.#count = 0;
    this.#enter(SIZE);
  }

  #enter(state: number): void {
    this.#state = state;
    this.isDropping = this.#isDataOnly
      ? state !== DATA
      : state === EXTENSION || (state >= TRAILERS && state <= TRAILER_LF);
  }
}

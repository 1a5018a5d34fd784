/** What the front needs to know of a request, read from its head. Absent headers are empty. */
export interface RequestHead {
  method: string;
  target: string;
  isHttp10: boolean;
  host: string;
  /** Whether the client wants the connection for another request. */
  isKeptAlive: boolean;
  hasBody: boolean;
  /** `Expect` or `Upgrade`: the client wants more than an answer. */
  isSpecial: boolean;
  accept: string;
  acceptEncoding: string;
  ifMatch: string;
  ifNoneMatch: string;
  ifRange: string;
  range: string;
  /** Where in the bytes the head ends. */
  end: number;
}

export type HeadFailure = 'incomplete' | 'too-large' | 'malformed';

export const MAX_HEAD_BYTES = 16_384;

const BLANK_LINE = Buffer.from('\r\n\r\n');
const CR = 13;
const LF = 10;
/** `method target version`, then lines of `token: value`, and nothing else: no folding, no control, no lone CR or LF. */
const HEAD =
  /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,32} [\x21-\x7e]+ HTTP\/1\.[01](?:\r\n[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[\t\x20-\x7e\x80-\xff]*)*$/;
const VERSION_LENGTH = ' HTTP/1.1'.length;
const ZERO = 48;
const SLASH = 47;
const DIGITS = /^[0-9]{1,15}$/;

/**
 * Reads one request head of HTTP/1.1 (RFC 9112), by one strict grammar: what others might read in
 * another way is refused. Everything that it takes, Node's own parser takes with the same framing.
 */
export function parseRequestHead(bytes: Buffer, from: number): RequestHead | HeadFailure {
  const start = skipEmptyLines(bytes, from);
  const end = bytes.indexOf(BLANK_LINE, start);
  if (end < 0) return bytes.length - start > MAX_HEAD_BYTES ? 'too-large' : 'incomplete';
  if (end - start > MAX_HEAD_BYTES) return 'too-large';
  const text = bytes.toString('latin1', start, end);
  return HEAD.test(text) ? new HeadReader(text, end + BLANK_LINE.length).read(text) : 'malformed';
}

/** A plain question for a path, without a body: the front answers only such, and leaves all else to Node. */
export function isSimple({ method, target, hasBody, isSpecial }: RequestHead): boolean {
  return (method === 'GET' || method === 'HEAD') && !hasBody && !isSpecial && target.charCodeAt(0) === SLASH;
}

/** Some clients send an empty line after a body (RFC 9112, 2.2). */
function skipEmptyLines(bytes: Buffer, from: number): number {
  let start = from;
  while (bytes[start] === CR && bytes[start + 1] === LF) start += 2;
  return start;
}

/** Lengths of the names that matter; of all others not even the name is looked at. */
const LENGTHS = new Uint8Array(256);
for (const length of [4, 5, 6, 7, 8, 10, 13, 14, 15, 16, 17]) LENGTHS[length] = 1;

class HeadReader implements RequestHead {
  method: string;
  target: string;
  isHttp10: boolean;
  host = '';
  isKeptAlive = true;
  hasBody = false;
  isSpecial = false;
  accept = '';
  acceptEncoding = '';
  ifMatch = '';
  ifNoneMatch = '';
  ifRange = '';
  range = '';
  end: number;
  #hosts = 0;
  #hasLength = false;
  #isChunked = false;
  #connection = '';

  constructor(text: string, end: number) {
    const lineEnd = endOfLine(text, 0);
    const space = text.indexOf(' ');
    this.method = text.slice(0, space);
    this.target = text.slice(space + 1, lineEnd - VERSION_LENGTH);
    this.isHttp10 = text.charCodeAt(lineEnd - 1) === ZERO;
    this.end = end;
  }

  read(text: string): RequestHead | 'malformed' {
    for (let at = endOfLine(text, 0) + 2; at < text.length;) {
      const lineEnd = endOfLine(text, at);
      const colon = text.indexOf(':', at);
      const isOfInterest = LENGTHS[colon - at] === 1;
      if (isOfInterest && !this.#take(text.slice(at, colon).toLowerCase(), text, colon + 1, lineEnd)) {
        return 'malformed';
      }
      at = lineEnd + 2;
    }
    return this.#isConsistent() ? this : 'malformed';
  }

  /** False when the header may not be so. */
  #take(name: string, text: string, from: number, to: number): boolean {
    switch (name) {
      case 'host':
        this.host = trimmed(text, from, to);
        return ++this.#hosts === 1;
      case 'content-length':
        return this.#takeLength(trimmed(text, from, to));
      case 'transfer-encoding':
        return this.#takeCoding(trimmed(text, from, to));
      case 'connection':
      // Some clients say it so, and Node listens to it.
      case 'proxy-connection':
        this.#connection += `,${text.slice(from, to).toLowerCase()}`;
        return true;
      case 'expect':
      case 'upgrade':
        this.isSpecial = true;
        return true;
      default:
        this.#takeWish(name, text, from, to);
        return true;
    }
  }

  #takeWish(name: string, text: string, from: number, to: number): void {
    switch (name) {
      case 'accept':
        this.accept = joined(this.accept, trimmed(text, from, to));
        break;
      case 'accept-encoding':
        this.acceptEncoding = joined(this.acceptEncoding, trimmed(text, from, to));
        break;
      case 'if-match':
        this.ifMatch = joined(this.ifMatch, trimmed(text, from, to));
        break;
      case 'if-none-match':
        this.ifNoneMatch = joined(this.ifNoneMatch, trimmed(text, from, to));
        break;
      case 'if-range':
        this.ifRange = joined(this.ifRange, trimmed(text, from, to));
        break;
      case 'range':
        this.range = joined(this.range, trimmed(text, from, to));
        break;
    }
  }

  #takeLength(value: string): boolean {
    if (this.#hasLength || !DIGITS.test(value)) return false;
    this.#hasLength = true;
    this.hasBody ||= Number(value) > 0;
    return true;
  }

  #takeCoding(value: string): boolean {
    if (this.#isChunked || value.toLowerCase() !== 'chunked') return false;
    this.#isChunked = true;
    this.hasBody = true;
    return true;
  }

  /** A length next to a coding is how requests are smuggled (RFC 9112, 6.1). */
  #isConsistent(): boolean {
    if (this.#isChunked && (this.#hasLength || this.isHttp10)) return false;
    if (this.#hosts === 0 && !this.isHttp10) return false;
    this.isKeptAlive = this.#connection === '' ? !this.isHttp10 : this.#readsOn(this.#connection.split(','));
    return true;
  }

  #readsOn(connection: string[]): boolean {
    const options = connection.map((option) => option.trim());
    return !options.includes('close') && (!this.isHttp10 || options.includes('keep-alive'));
  }
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\r\n', from);
  return end < 0 ? text.length : end;
}

function trimmed(text: string, from: number, to: number): string {
  let [start, end] = [from, to];
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}

function joined(before: string, value: string): string {
  return before === '' ? value : `${before}, ${value}`;
}

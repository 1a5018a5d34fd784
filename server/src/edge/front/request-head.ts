import { HeadScanner, INCOMPLETE, MALFORMED, MAX_HEAD_BYTES } from './head-scanner.ts';

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

const VERSION_LENGTH = ' HTTP/1.1'.length;
const BLANK_LINE_LENGTH = 4;
const [LF, CR, SLASH, ZERO] = [10, 13, 47, 48] as const;
/** Before a request. They count for nothing, so they must not go on for ever. */
const MAX_EMPTY_LINES = 4;
const DIGITS = /^[0-9]{1,15}$/;

const scanner = new HeadScanner([
  'accept',
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'if-match',
  'if-none-match',
  'if-range',
  'proxy-connection',
  'range',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Reads one request head of HTTP/1.1, by one strict grammar: what others might read in another way is
 * refused. Everything that it takes, Node's own parser takes with the same framing.
 */
export function parseRequestHead(bytes: Buffer, from: number): RequestHead | HeadFailure {
  const start = skipEmptyLines(bytes, from);
  if (start - from > MAX_EMPTY_LINES * 2) return 'malformed';
  if (bytes[start] === CR && start + 1 === bytes.length) return 'incomplete';
  const end = scanner.scan(bytes, start);
  if (end === MALFORMED) return 'malformed';
  if (end === INCOMPLETE) return bytes.length - start >= MAX_HEAD_BYTES ? 'too-large' : 'incomplete';
  return new HeadReader(bytes.toString('latin1', start, end - BLANK_LINE_LENGTH), start, end).read();
}

/** A plain question for a path, without a body: the front answers only such, and leaves all else to Node. */
export function isSimple({ method, target, hasBody, isSpecial }: RequestHead): boolean {
  return (method === 'GET' || method === 'HEAD') && !hasBody && !isSpecial && target.charCodeAt(0) === SLASH;
}

/** Some clients send an empty line after a body (RFC 9112, 2.2). */
function skipEmptyLines(bytes: Buffer, from: number): number {
  let start = from;
  const most = from + (MAX_EMPTY_LINES + 1) * 2;
  while (start < most && bytes[start] === CR && bytes[start + 1] === LF) start += 2;
  return start;
}

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
  readonly #text: string;
  readonly #start: number;
  #hosts = 0;
  #hasLength = false;
  #isChunked = false;
  #connection = '';

  constructor(text: string, start: number, end: number) {
    const { methodEnd, targetEnd } = scanner;
    this.method = text.slice(0, methodEnd - start);
    this.target = text.slice(methodEnd + 1 - start, targetEnd - start);
    this.isHttp10 = text.charCodeAt(targetEnd - start + VERSION_LENGTH - 1) === ZERO;
    this.end = end;
    this.#text = text;
    this.#start = start;
  }

  read(): RequestHead | 'malformed' {
    const { places, placeCount } = scanner;
    for (let place = 0; place < 3 * placeCount; place += 3) {
      const colon = places[place + 1]! - this.#start;
      const name = this.#text.slice(places[place]! - this.#start, colon).toLowerCase();
      const value = trimmed(this.#text, colon + 1, places[place + 2]! - this.#start);
      if (!this.#take(name, value)) return 'malformed';
    }
    return this.#isConsistent() ? this : 'malformed';
  }

  /** False when the header may not be so. */
  #take(name: string, value: string): boolean {
    switch (name) {
      case 'host':
        this.host = value;
        return ++this.#hosts === 1;
      case 'content-length':
        return this.#takeLength(value);
      case 'transfer-encoding':
        return this.#takeCoding(value);
      case 'connection':
      // Some clients say it so, and Node listens to it.
      case 'proxy-connection':
        this.#connection += `,${value.toLowerCase()}`;
        return true;
      case 'expect':
      case 'upgrade':
        this.isSpecial = true;
        return true;
      default:
        this.#takeWish(name, value);
        return true;
    }
  }

  #takeWish(name: string, value: string): void {
    switch (name) {
      case 'accept':
        this.accept = joined(this.accept, value);
        break;
      case 'accept-encoding':
        this.acceptEncoding = joined(this.acceptEncoding, value);
        break;
      case 'if-match':
        this.ifMatch = joined(this.ifMatch, value);
        break;
      case 'if-none-match':
        this.ifNoneMatch = joined(this.ifNoneMatch, value);
        break;
      case 'if-range':
        this.ifRange = joined(this.ifRange, value);
        break;
      case 'range':
        this.range = joined(this.range, value);
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

import type { Access } from '../access-log/access-log.ts';
import type { Counters } from '../traffic/counters.ts';
import { MAX_HEAD_BYTES } from './head-scanner.ts';
import {
  connectionOptions,
  isCutFromRequests,
  namesHeaders,
  SCANNED_IN_REQUESTS,
  trimmed,
  withoutNamed,
  withoutParts,
} from './passed-lines.ts';
import type { RequestHead } from './request-head.ts';
import { RequestScanner } from './request-scanner.ts';

export const LINE_END_LENGTH = 2;
const VERSION_LENGTH = ' HTTP/1.1'.length;
const ZERO = 48;
const DIGITS = /^[0-9]{1,15}$/;
const NOTHING: readonly number[] = [];

const READ_NAMES = 'accept accept-encoding content-length cookie host if-match if-none-match if-range range'.split(' ');

/** Heads are read one at a time: it holds the places of the one that was scanned last. */
export const scanner = new RequestScanner({
  names: [...READ_NAMES, ...SCANNED_IN_REQUESTS],
  maxBytes: MAX_HEAD_BYTES,
});

/** The head that the scanner has just gone through. */
export class ReadHead implements RequestHead {
  method: string;
  target: string;
  isHttp10: boolean;
  host = '';
  isKeptAlive = true;
  hasBody = false;
  contentLength: number | null = null;
  isChunked = false;
  isSpecial = false;
  upgrade = '';
  expectsContinue = false;
  expectsUnknown = false;
  cookie = '';
  probe = '';
  counters: Counters | null = null;
  access: Access | null = null;
  forwardedFor = '';
  forwardedProto = '';
  accept = '';
  acceptEncoding = '';
  ifMatch = '';
  ifNoneMatch = '';
  ifRange = '';
  range = '';
  end: number;
  byteCount: number;
  readonly #text: string;
  readonly #start: number;
  readonly #linesStart: number;
  #hosts = 0;
  #connection = '';
  #expect = '';
  /** What of the text is not passed on: from, to, from, to … */
  #cuts: number[] | null = null;

  /** The text ends with the last header's line. */
  constructor(text: string, start: number, end: number) {
    const { methodEnd, targetEnd } = scanner;
    const lineEnd = targetEnd - start + VERSION_LENGTH;
    // Most are this one, and a constant is compared at once wherever it is asked for.
    this.method = text.startsWith('GET ') ? 'GET' : text.slice(0, methodEnd - start);
    this.target = text.slice(methodEnd + 1 - start, targetEnd - start);
    this.isHttp10 = text.charCodeAt(lineEnd - 1) === ZERO;
    this.end = end;
    this.byteCount = end - start;
    this.#text = text;
    this.#start = start;
    this.#linesStart = lineEnd + LINE_END_LENGTH;
  }

  /** How many bytes follow the first line, to the blank line and with it. */
  get restLength(): number {
    return this.#text.length - this.#linesStart + LINE_END_LENGTH;
  }

  /** It becomes the head of a request that differs in its first line only, which `findLines` has just found. */
  renew(bytes: Buffer, start: number, end: number): this {
    const { methodEnd, targetEnd } = scanner;
    const line = bytes.toString('latin1', start, targetEnd);
    const isSameMethod = this.method.length === methodEnd - start && line.startsWith(this.method);
    if (!isSameMethod) this.method = line.slice(0, methodEnd - start);
    this.target = line.slice(methodEnd + 1 - start);
    this.end = end;
    this.byteCount = end - start;
    this.counters = this.access = null;
    return this;
  }

  get lines(): string {
    const lines = withoutParts(this.#text, this.#linesStart, this.#cuts ?? NOTHING);
    if (this.#connection === '' || this.#connection === ',keep-alive') return lines;
    const options = connectionOptions(this.#connection);
    return namesHeaders(options) ? withoutNamed(lines, options) : lines;
  }

  read(): this | 'malformed' {
    const { places, placeCount } = scanner;
    for (let place = 0; place < 3 * placeCount; place += 3) {
      const from = places[place]! - this.#start;
      const colon = places[place + 1]! - this.#start;
      const to = places[place + 2]! - this.#start;
      const name = this.#text.slice(from, colon).toLowerCase();
      if (!this.#take(name, trimmed(this.#text, colon + 1, to))) return 'malformed';
      if (isCutFromRequests(name)) (this.#cuts ??= []).push(from, to + LINE_END_LENGTH);
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
      default:
        this.#takeForProxy(name, value);
    }
  }

  #takeForProxy(name: string, value: string): void {
    switch (name) {
      case 'cookie':
        this.cookie = this.cookie === '' ? value : `${this.cookie}; ${value}`;
        break;
      case 'expect':
        this.#expect = joined(this.#expect, value.toLowerCase());
        this.isSpecial = true;
        break;
      case 'upgrade':
        this.upgrade = joined(this.upgrade, value);
        this.isSpecial = true;
        break;
      case 'x-lilac-probe':
        this.probe = value;
        break;
      case 'x-forwarded-for':
        this.forwardedFor = joined(this.forwardedFor, value);
        break;
      case 'x-forwarded-proto':
        this.forwardedProto = joined(this.forwardedProto, value);
        break;
    }
  }

  #takeLength(value: string): boolean {
    if (this.contentLength !== null || !DIGITS.test(value)) return false;
    this.contentLength = Number(value);
    this.hasBody ||= this.contentLength > 0;
    return true;
  }

  #takeCoding(value: string): boolean {
    if (this.isChunked || value.toLowerCase() !== 'chunked') return false;
    this.isChunked = true;
    this.hasBody = true;
    return true;
  }

  /** A length next to a coding is how requests are smuggled (RFC 9112, 6.1). */
  #isConsistent(): boolean {
    if (this.isChunked && (this.contentLength !== null || this.isHttp10)) return false;
    if (this.#hosts === 0 && !this.isHttp10) return false;
    const isUsual = this.#connection === '' || this.#connection === ',keep-alive';
    if (isUsual && !this.isHttp10 && !this.isSpecial) this.isKeptAlive = true;
    else if (this.#connection === '') this.isKeptAlive = !this.isHttp10;
    else this.#readConnection(connectionOptions(this.#connection));
    if (this.isSpecial) this.#readWishes();
    return true;
  }

  #readConnection(options: readonly string[]): void {
    this.isKeptAlive = !options.includes('close') && (!this.isHttp10 || options.includes('keep-alive'));
    if (!options.includes('upgrade')) this.upgrade = '';
  }

  /** HTTP/1.0 knows of neither. HTTP/2 inside of a tunnel would bring requests past the edge. */
  #readWishes(): void {
    const isH2 = /\bh2c?\b/i.test(this.upgrade);
    if (this.isHttp10 || this.hasBody || isH2 || this.#connection === '') this.upgrade = '';
    if (this.isHttp10) return;
    this.expectsContinue = this.#expect === '100-continue' && this.hasBody;
    this.expectsUnknown = this.#expect !== '' && this.#expect !== '100-continue';
  }
}

function joined(before: string, value: string): string {
  return before === '' ? value : `${before}, ${value}`;
}

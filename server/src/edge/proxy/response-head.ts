import { HeadScanner, INCOMPLETE, MALFORMED, VALUE } from '../front/head-scanner.ts';
import {
  connectionOptions,
  isCutFromAnswers,
  namesHeaders,
  SCANNED_IN_ANSWERS,
  trimmed,
  withoutNamed,
  withoutParts,
} from '../front/passed-lines.ts';
import type { Framing } from './body-follower.ts';

/** Applications may set more than clients send. */
const MAX_ANSWER_HEAD_BYTES = 65_536;
const VERSION = Buffer.from('HTTP/1.');
const [LF, CR, SPACE, ZERO, ONE, NINE] = [10, 13, 32, 48, 49, 57] as const;
/** `HTTP/1.1 200`. */
const STATUS_END = 12;
const LINE_END_LENGTH = 2;
const NONE: readonly string[] = [];
const DIGITS = /^[0-9]{1,15}$/;
const TIMEOUT = /(?:^|[,\s])timeout=(\d{1,6})(?:$|[,\s])/i;

/** Heads that begin with `version status reason`. */
class ResponseScanner extends HeadScanner {
  lineEnd = 0;

  protected override scanFirstLine(start: number): number {
    const { bytes, limit } = this;
    const least = Math.min(limit, start + STATUS_END);
    for (let at = start; at < least; at++) if (!isExpected(bytes[at]!, at - start)) return MALFORMED;
    if (start + STATUS_END >= limit) return INCOMPLETE;
    const isLong = bytes[start + STATUS_END] === SPACE;
    const end = isLong ? this.skip(VALUE, start + STATUS_END) : start + STATUS_END;
    this.lineEnd = end;
    if (end + 1 >= limit) return end === limit || bytes[end] === CR ? INCOMPLETE : MALFORMED;
    return bytes[end] === CR && bytes[end + 1] === LF ? end + 2 : MALFORMED;
  }
}

const scanner = new ResponseScanner({
  names: ['content-length', 'date', ...SCANNED_IN_ANSWERS],
  maxBytes: MAX_ANSWER_HEAD_BYTES,
});

/**
 * The head of an instance's answer, by the same strict grammar as a request's. It is used again for every
 * answer, so what it says holds only until the next is read.
 */
export class ResponseHead {
  status = 0;
  isHttp10 = false;
  /** The status and its reason. */
  statusText = '';
  hasDate = false;
  isChunked = false;
  contentLength: number | null = null;
  upgrade = '';
  /** The instance takes another request on this connection. */
  isKeptAlive = true;
  /** How long it says that it keeps an idle connection; 0 where it does not say. */
  keepAliveSeconds = 0;
  /** Where in the bytes the head ends. */
  end = 0;
  #text = '';
  #start = 0;
  #connection = '';
  /** Headers that are for the next hop only, as the instance says. */
  #named: readonly string[] = NONE;
  readonly #cuts: number[] = [];

  /** What is read stays as it was when there is no whole head yet. */
  read(bytes: Buffer, start: number, to: number): 'whole' | 'incomplete' | 'malformed' {
    const end = scanner.scan(bytes, start, to);
    if (end === MALFORMED) return 'malformed';
    if (end === INCOMPLETE) return to - start >= MAX_ANSWER_HEAD_BYTES ? 'malformed' : 'incomplete';
    this.#start = start;
    this.#text = bytes.toString('latin1', start, end - LINE_END_LENGTH);
    this.end = end;
    this.#forget();
    return this.#readHeaders() && this.#isConsistent() ? 'whole' : 'malformed';
  }

  get isInformation(): boolean {
    return this.status < 200 && this.status !== 101;
  }

  /** How the answer to a request of this method is framed. */
  framingFor(method: string): Framing {
    if (method === 'HEAD' || this.status === 204 || this.status === 304) return 0;
    if (this.isChunked) return 'chunked';
    return this.contentLength ?? 'until-close';
  }

  /** The headers that a client gets to see, each ended by CRLF. */
  get lines(): string {
    const lines = withoutParts(this.#text, scanner.lineEnd - this.#start + LINE_END_LENGTH, this.#cuts);
    return this.#named.length === 0 ? lines : withoutNamed(lines, this.#named);
  }

  #forget(): void {
    this.hasDate = this.isChunked = false;
    this.contentLength = null;
    this.upgrade = this.#connection = '';
    this.#named = NONE;
    this.keepAliveSeconds = 0;
    this.#cuts.length = 0;
  }

  #readHeaders(): boolean {
    const text = this.#text;
    const { places, placeCount, lineEnd } = scanner;
    this.status = Number(text.slice(STATUS_END - 3, STATUS_END));
    this.statusText = text.slice(STATUS_END - 3, lineEnd - this.#start);
    this.isHttp10 = text.charCodeAt(VERSION.length) === ZERO;
    for (let place = 0; place < 3 * placeCount; place += 3) {
      const from = places[place]! - this.#start;
      const colon = places[place + 1]! - this.#start;
      const to = places[place + 2]! - this.#start;
      const name = text.slice(from, colon).toLowerCase();
      if (!this.#take(name, trimmed(text, colon + 1, to))) return false;
      if (isCutFromAnswers(name) || (name === 'content-length' && this.#mayHaveNoLength))
        this.#cuts.push(from, to + LINE_END_LENGTH);
    }
    return true;
  }

  /** Some servers send one with an answer that has no body by its status (RFC 9110, 8.6). */
  get #mayHaveNoLength(): boolean {
    return this.status < 200 || this.status === 204;
  }

  /** False when the header may not be so. */
  #take(name: string, value: string): boolean {
    switch (name) {
      case 'content-length':
        if (this.contentLength !== null || !DIGITS.test(value)) return false;
        this.contentLength = Number(value);
        return true;
      case 'transfer-encoding':
        if (this.isChunked || value.toLowerCase() !== 'chunked') return false;
        this.isChunked = true;
        return true;
      case 'connection':
        this.#connection = this.#connection === '' ? value : `${this.#connection},${value}`;
        return true;
      case 'keep-alive':
        this.keepAliveSeconds = Number(TIMEOUT.exec(value)?.[1] ?? 0);
        return true;
      case 'upgrade':
        this.upgrade = value;
        return true;
      case 'date':
        this.hasDate = true;
        return true;
      default:
        return true;
    }
  }

  /** As with requests, a length next to a coding is nothing that two would read alike. */
  #isConsistent(): boolean {
    if (this.isChunked && (this.contentLength !== null || this.isHttp10)) return false;
    const connection = this.#connection;
    const isUsual = connection === '' || connection === 'keep-alive';
    if (isUsual && !this.isHttp10 && this.upgrade === '') this.isKeptAlive = true;
    else this.#readOptions(connectionOptions(connection));
    return true;
  }

  #readOptions(options: readonly string[]): void {
    this.isKeptAlive = !options.includes('close') && (!this.isHttp10 || options.includes('keep-alive'));
    if (!options.includes('upgrade')) this.upgrade = '';
    if (namesHeaders(options)) this.#named = options;
  }
}

/** A byte of the version and the status, by its place. */
function isExpected(code: number, place: number): boolean {
  if (place < VERSION.length) return code === VERSION[place];
  if (place === VERSION.length) return code === ZERO || code === ONE;
  if (place === VERSION.length + 1) return code === SPACE;
  return code >= (place === VERSION.length + 2 ? ONE : ZERO) && code <= NINE;
}

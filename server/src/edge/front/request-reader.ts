import { MAX_HEAD_BYTES } from './head-scanner.ts';
import { findLines, parseRequestHead } from './parse-request-head.ts';
import type { ReadHead } from './read-head.ts';
import type { HeadFailure, RequestHead } from './request-head.ts';

/** More is not kept of a client: there may be many thousands of them. */
const MAX_KEPT_BYTES = 2048;
const NOTHING = Buffer.alloc(0);
/** How far before the lines the version's last digit is. */
const TO_VERSION = '1\r\n'.length;
const ZERO = 48;

/**
 * Reads the requests of one connection, one after the other. Most clients say the same with each, but for the
 * first line: what is there again, byte for byte, is not read again. So a head holds until the next is read.
 */
export class RequestReader {
  #last: ReadHead | null = null;
  /** What followed its first line. */
  #rest = NOTHING;
  #restLength = 0;
  #isFirst = true;

  read(bytes: Buffer, from: number): RequestHead | HeadFailure {
    const repeated = this.#last === null ? null : this.#repeat(this.#last, bytes, from);
    if (repeated !== null) return repeated;
    const head = parseRequestHead(bytes, from);
    if (typeof head !== 'string') this.#keep(head, bytes);
    return head;
  }

  #repeat(last: ReadHead, bytes: Buffer, from: number): RequestHead | null {
    const start = findLines(bytes, from);
    const end = start + this.#restLength;
    if (start < 0 || end > bytes.length || end - from > MAX_HEAD_BYTES) return null;
    if ((bytes[start - TO_VERSION] === ZERO) !== last.isHttp10) return null;
    const isSame = this.#rest.compare(bytes, start, end, 0, this.#restLength) === 0;
    return isSame ? last.renew(bytes, from, end) : null;
  }

  /** Not of the first, which for many a client is the last. */
  #keep(head: ReadHead, bytes: Buffer): void {
    const { restLength, end } = head;
    const isKept = !this.#isFirst && restLength <= MAX_KEPT_BYTES;
    this.#isFirst = false;
    this.#last = isKept ? head : null;
    if (!isKept) return;
    if (this.#rest.length < restLength) this.#rest = Buffer.allocUnsafeSlow(restLength);
    bytes.copy(this.#rest, 0, end - restLength, end);
    this.#restLength = restLength;
  }
}

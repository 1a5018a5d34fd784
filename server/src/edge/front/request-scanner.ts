import { HeadScanner, INCOMPLETE, MALFORMED, tableOf, TOKEN } from './head-scanner.ts';

const [LF, CR, SPACE, ZERO, ONE] = [10, 13, 32, 48, 49] as const;
const VERSION = Buffer.from(' HTTP/1.');
const LINE_ENDS = [' HTTP/1.1\r\n', ' HTTP/1.0\r\n'];
const MAX_METHOD_LENGTH = 32;
const TARGET = tableOf((code) => code > SPACE && code < 0x7f);

/** Heads that begin with `method target version`. */
export class RequestScanner extends HeadScanner {
  methodEnd = 0;
  targetEnd = 0;

  /** The first line alone: where the next one begins. */
  scanLine(bytes: Uint8Array, start: number, end: number): number {
    this.bytes = bytes;
    this.limit = end;
    return this.scanFirstLine(start);
  }

  protected override scanFirstLine(start: number): number {
    const { bytes, limit } = this;
    this.methodEnd = this.skip(TOKEN, start);
    if (this.methodEnd === limit) return INCOMPLETE;
    const length = this.methodEnd - start;
    if (length === 0 || length > MAX_METHOD_LENGTH || bytes[this.methodEnd] !== SPACE) return MALFORMED;
    this.targetEnd = this.skip(TARGET, this.methodEnd + 1);
    const end = this.targetEnd + VERSION.length;
    if (end + 2 >= limit) return this.#isVersionBegun() ? INCOMPLETE : MALFORMED;
    for (let at = 0; at < VERSION.length; at++) if (bytes[this.targetEnd + at] !== VERSION[at]) return MALFORMED;
    const isKnown = (bytes[end] === ZERO || bytes[end] === ONE) && this.targetEnd > this.methodEnd + 1;
    return isKnown && bytes[end + 1] === CR && bytes[end + 2] === LF ? end + 3 : MALFORMED;
  }

  /** Whether the last bytes may become the end of a request line. */
  #isVersionBegun(): boolean {
    const line = Buffer.from(this.bytes.subarray(this.targetEnd, this.limit)).toString('latin1');
    return LINE_ENDS.some((end) => end.startsWith(line));
  }
}

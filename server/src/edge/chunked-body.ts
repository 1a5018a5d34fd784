const LF = 10;
/** Of a line, what is looked at: a size stands at its beginning. */
const MAX_LINE = 256;
/** The line end behind a chunk's data. */
const AFTER_DATA = 2;

/**
 * Follows a chunked body (RFC 9112, 7.1) to its end, and passes over its data unread: what stands there
 * may look like anything. Whether the body is well made is the server's parser's to say; where it is not,
 * everything counts to it.
 */
export class ChunkedBody {
  #state: 'size' | 'data' | 'trailers' | 'over' | 'lost' = 'size';
  #left = 0;
  #line = '';

  get isOver(): boolean {
    return this.#state === 'over';
  }

  /** How many of the bytes belong to the body. */
  take(bytes: Buffer): number {
    let at = 0;
    while (at < bytes.length && this.#state !== 'over') {
      if (this.#state === 'lost') return bytes.length;
      at = this.#state === 'data' ? this.#passData(bytes, at) : this.#takeLine(bytes, at);
    }
    return at;
  }

  #passData(bytes: Buffer, at: number): number {
    const passed = Math.min(this.#left, bytes.length - at);
    this.#left -= passed;
    if (this.#left === 0) this.#state = 'size';
    return at + passed;
  }

  #takeLine(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(LF, at);
    const stop = end < 0 ? bytes.length : end + 1;
    this.#line += bytes.toString('latin1', at, Math.min(stop, at + MAX_LINE - this.#line.length));
    if (end >= 0) {
      this.#readLine(this.#line.trimEnd());
      this.#line = '';
    }
    return stop;
  }

  #readLine(line: string): void {
    if (this.#state === 'trailers') {
      if (line === '') this.#state = 'over';
      return;
    }
    const size = /^[0-9a-f]{1,13}(?=$|[;\s])/i.exec(line)?.[0];
    if (size === undefined) this.#state = 'lost';
    else if (Number.parseInt(size, 16) === 0) this.#state = 'trailers';
    else [this.#state, this.#left] = ['data', Number.parseInt(size, 16) + AFTER_DATA];
  }
}

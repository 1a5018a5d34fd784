/** A Close frame of a server, status 1001: it is going away (RFC 6455, 7.4.1). */
export const GOING_AWAY = Buffer.from([0x88, 0x02, 0x03, 0xe9]);

const MASKED = 0x80;
const LENGTH = 0x7f;
const [TWO_BYTES, EIGHT_BYTES] = [126, 127] as const;

/** Follows frames (RFC 6455, 5.2) to know where one ends, so that another may be put in between. */
export class WebSocketFrames {
  /** Of the frame's header: how many bytes have come, and how many there are. */
  #seen = 0;
  #headerBytes = 2;
  #length = 0;
  #payloadLeft = 0;
  #lengthEnd = 2;

  get isBetween(): boolean {
    return this.#seen === 0 && this.#payloadLeft === 0;
  }

  /** Goes over all of the bytes; or, if asked to, up to where the first frame ends. */
  follow(bytes: Uint8Array, untilBetween: boolean): number {
    let at = 0;
    while (at < bytes.length) {
      if (untilBetween && this.isBetween) break;
      if (this.#payloadLeft > 0) {
        const passed = Math.min(this.#payloadLeft, bytes.length - at);
        this.#payloadLeft -= passed;
        at += passed;
      } else {
        this.#takeHeader(bytes[at++]!);
      }
    }
    return at;
  }

  #takeHeader(byte: number): void {
    const place = this.#seen++;
    if (place === 1) this.#readLength(byte);
    else if (place > 1 && place < this.#lengthEnd) this.#length = this.#length * 256 + byte;
    if (this.#seen < this.#headerBytes) return;
    this.#payloadLeft = this.#length;
    this.#seen = 0;
    this.#headerBytes = 2;
  }

  #readLength(byte: number): void {
    const length = byte & LENGTH;
    const lengthBytes = length === TWO_BYTES ? 2 : length === EIGHT_BYTES ? 8 : 0;
    this.#length = lengthBytes === 0 ? length : 0;
    this.#lengthEnd = 2 + lengthBytes;
    this.#headerBytes = this.#lengthEnd + ((byte & MASKED) === 0 ? 0 : 4);
  }
}

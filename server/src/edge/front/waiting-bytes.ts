import { MAX_WAITING_BYTES } from './limits.ts';

const NOTHING = Buffer.alloc(0);

/** What a client has sent ahead, until it is its turn. */
export class WaitingBytes {
  #bytes: Buffer | null = null;

  get areNone(): boolean {
    return this.#bytes === null;
  }

  /** The client should not send more for now. */
  get areMany(): boolean {
    return this.#bytes !== null && this.#bytes.length > MAX_WAITING_BYTES;
  }

  /** As a copy: what is given lies in a buffer that is used again. */
  add(bytes: Buffer): void {
    this.#bytes = this.#bytes === null ? Buffer.from(bytes) : Buffer.concat([this.#bytes, bytes]);
  }

  /** Takes all bytes: none wait afterwards. */
  take(): Buffer {
    const bytes = this.#bytes ?? NOTHING;
    this.#bytes = null;
    return bytes;
  }

  /** The same, with what has just come behind it. */
  takeWith(next: Buffer): Buffer {
    return this.#bytes === null ? next : Buffer.concat([this.take(), next]);
  }

  drop(): void {
    this.#bytes = null;
  }
}

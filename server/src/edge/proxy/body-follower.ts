import { ChunkFollower } from './chunk-follower.ts';

/** How a body ends: after so many bytes, with its last chunk, or with the connection. */
export type Framing = number | 'chunked' | 'until-close';

/** Where a body ends, and which of its bytes are passed on. It is used again for every body. */
export class BodyFollower {
  #left = 0;
  #isChunked = false;
  readonly #chunks = new ChunkFollower();

  /** Without its chunks, only the data is passed on. */
  begin(framing: Framing, isDataOnly = false): void {
    this.#isChunked = framing === 'chunked';
    if (framing === 'chunked') this.#chunks.begin(isDataOnly);
    else this.#left = framing === 'until-close' ? Infinity : framing;
  }

  get isUntilClose(): boolean {
    return !this.#isChunked && this.#left === Infinity;
  }

  get isOver(): boolean {
    return this.#isChunked ? this.#chunks.isOver : this.#left === 0;
  }

  get isDropping(): boolean {
    return this.#isChunked && this.#chunks.isDropping;
  }

  /** Where the run of bytes ends that are all to be passed on, or all not; or `MALFORMED`. */
  follow(bytes: Uint8Array, from: number, to: number): number {
    if (this.#isChunked) return this.#chunks.follow(bytes, from, to);
    const passed = Math.min(this.#left, to - from);
    this.#left -= passed;
    return from + passed;
  }
}

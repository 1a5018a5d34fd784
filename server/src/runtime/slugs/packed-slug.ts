import { createHash } from 'node:crypto';
import { Transform, type Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';

/** A packed tree that is hashed on its way to whoever unpacks it. */
export class PackedSlug implements Disposable {
  readonly #read: () => Readable;
  readonly #digest = createHash('sha256');
  #packed: Readable | null = null;
  #hashing: Transform | null = null;

  constructor(read: () => Readable) {
    this.#read = read;
  }

  /** To be called once. */
  unpacked(): Readable {
    const digest = this.#digest;
    const hashing = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        digest.update(chunk);
        done(null, chunk);
      },
    });
    const unpacked = createZstdDecompress();
    const packed = this.#read();
    packed.on('error', (error) => hashing.destroy(error));
    hashing.on('error', (error) => unpacked.destroy(error));
    [this.#packed, this.#hashing] = [packed, hashing];
    return packed.pipe(hashing).pipe(unpacked);
  }

  /**
   * Of all its bytes, also those that nobody wanted; null when nobody has begun to read. Rejects where they cannot be
   * read.
   */
  async hash(): Promise<string | null> {
    if (!this.#hashing) return null;
    this.#hashing.unpipe();
    await finished(this.#hashing.resume());
    return this.#digest.digest('hex');
  }

  [Symbol.dispose](): void {
    this.#packed?.destroy();
  }
}

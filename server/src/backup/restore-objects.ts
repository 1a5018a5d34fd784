import { hash as hashBytes, createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ObjectStore } from '../objects/object-store.ts';
import type { ObjectLine } from './backup-format.ts';

/** Up to here an object is held in memory and written beside others, each of which waits for the disk. */
const SMALL_BYTES = 256 * 1024;
const AT_ONCE = 16;
const BLOB_KEY = /^blobs\/[0-9a-f]{2}\/([0-9a-f]{64})$/;

/**
 * Writes the objects of a backup as they come. Memory is bounded: a few small ones at a time, large ones as streams.
 */
export class ObjectRestorer {
  readonly damaged: string[] = [];
  count = 0;
  readonly #objects: ObjectStore;
  readonly #writing = new Set<Promise<void>>();
  #failure: unknown = null;

  constructor(objects: ObjectStore) {
    this.#objects = objects;
  }

  /** Reads all of the bytes, whatever becomes of them. */
  async take({ object: key, size }: ObjectLine, bytes: AsyncIterable<Buffer>): Promise<void> {
    if (size > SMALL_BYTES) return this.#stream(key, bytes);
    const pieces: Buffer[] = [];
    // A copy: what was read is a window on a larger piece that would stay in memory with it.
    for await (const piece of bytes) pieces.push(Buffer.from(piece));
    const content = Buffer.concat(pieces);
    if (isDamaged(key, hashBytes('sha256', content, 'hex'))) this.damaged.push(key);
    else await this.#begin(key, content);
  }

  /** Resolves when all that was taken will survive a crash. */
  async finish(): Promise<void> {
    await Promise.all(this.#writing);
    if (this.#failure) throw this.#failure as Error;
  }

  async #begin(key: string, content: Buffer): Promise<void> {
    while (this.#writing.size >= AT_ONCE) await Promise.race(this.#writing);
    if (this.#failure) throw this.#failure as Error;
    const write = this.#write(key, content);
    this.#writing.add(write);
    void write.finally(() => this.#writing.delete(write));
  }

  async #write(key: string, content: Buffer): Promise<void> {
    try {
      await this.#objects.put(key, content);
      this.count++;
    } catch (error) {
      this.#failure ??= error;
    }
  }

  /** What turns out to be damaged at its end is not kept: a source that fails leaves nothing. */
  async #stream(key: string, bytes: AsyncIterable<Buffer>): Promise<void> {
    try {
      await this.#objects.put(key, Readable.from(checked(key, bytes), { objectMode: false }));
      this.count++;
    } catch (error) {
      if (!(error instanceof Damaged)) throw error;
      this.damaged.push(key);
    }
  }
}

class Damaged extends Error {}

async function* checked(key: string, bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const piece of bytes) {
    hash.update(piece);
    yield piece;
  }
  if (isDamaged(key, hash.digest('hex'))) throw new Damaged(key);
}

/** A blob's key says what its content is. */
function isDamaged(key: string, hash: string): boolean {
  const expected = BLOB_KEY.exec(key)?.[1];
  return expected !== undefined && expected !== hash;
}

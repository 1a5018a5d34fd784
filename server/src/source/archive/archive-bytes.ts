import { addAbortSignal, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ObjectMissing } from '../../objects/object-store.ts';
import type { ArchiveSource } from './archive-source.ts';

/** Asked for in pieces this large: an archive is read from front to back, and an object store may be far away. */
const WINDOW_BYTES = 1024 * 1024;

/** The bytes of an archive, wherever one looks. One window of them is kept. */
export class ArchiveBytes {
  readonly size: number;
  /** What the object store answered when it failed: no fault of the archive. */
  failure: unknown;
  readonly #source: ArchiveSource;
  readonly #signal: AbortSignal | undefined;
  #window: { start: number; bytes: Buffer } = { start: 0, bytes: Buffer.alloc(0) };

  private constructor(source: ArchiveSource, size: number, signal: AbortSignal | undefined) {
    this.#source = source;
    this.size = size;
    this.#signal = signal;
  }

  static async open(source: ArchiveSource, signal?: AbortSignal): Promise<ArchiveBytes> {
    const found = await source.objects.stat(source.key);
    if (!found) throw new ObjectMissing(source.key);
    return new ArchiveBytes(source, found.size, signal);
  }

  /** Fewer where the archive ends before. They are not to be kept: they hold on to the whole window. */
  async read(start: number, length: number): Promise<Buffer> {
    const end = Math.min(start + length, this.size);
    if (start >= end) return Buffer.alloc(0);
    const { start: from, bytes } = this.#window;
    if (start < from || end > from + bytes.length) {
      const until = Math.min(Math.max(end, start + WINDOW_BYTES), this.size);
      this.#window = { start, bytes: await this.#fetch(start, until) };
    }
    const within = start - this.#window.start;
    return this.#window.bytes.subarray(within, within + end - start);
  }

  stream(start: number, end: number): Readable {
    const stream = this.#source.objects.read(this.#source.key, { start, end });
    return this.#signal ? addAbortSignal(this.#signal, stream) : stream;
  }

  async #fetch(start: number, end: number): Promise<Buffer> {
    this.#signal?.throwIfAborted();
    try {
      const bytes = await buffer(this.stream(start, end));
      if (bytes.length !== end - start) throw new ObjectMissing(this.#source.key);
      return bytes;
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }
}

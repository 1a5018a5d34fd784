import type { UploadSource } from './upload-source.ts';

/** The bytes of a source as they are asked for, never more than a piece ahead, and exactly as many as it announced. */
export class CountedSource {
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** What went wrong with the source itself, for `fetch` tells it as a failure of the network. */
  failure: { reason: unknown } | null = null;
  readonly #pieces: AsyncIterator<Uint8Array>;
  readonly #size: number;
  #sentBytes = 0;

  constructor(source: UploadSource, onBytes: (sentBytes: number) => void = () => {}) {
    this.#size = source.size;
    this.#pieces = piecesOf(source.stream());
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>) => {
      const piece = await this.#next();
      if (piece === null) return controller.close();
      controller.enqueue(piece);
      onBytes(this.#sentBytes);
    };
    this.stream = new ReadableStream({ pull, cancel: () => this.close() }, { highWaterMark: 0 });
  }

  /** Nobody wants the rest. Not waited for: a source that hangs would hold up whoever left it. */
  close(): void {
    void Promise.resolve(this.#pieces.return?.()).catch(() => {});
  }

  async #next(): Promise<Uint8Array<ArrayBuffer> | null> {
    try {
      const { done, value } = await this.#pieces.next();
      if (!done) this.#sentBytes += value.byteLength;
      if (this.#sentBytes > this.#size || (done && this.#sentBytes < this.#size)) throw wrongSize(this.#size);
      return done ? null : (value as Uint8Array<ArrayBuffer>);
    } catch (reason) {
      this.failure = { reason };
      throw reason;
    }
  }
}

const wrongSize = (size: number) =>
  new RangeError(`The source does not have the ${size} bytes it announced. Was it changed while it was read?`);

/** Not every browser can loop over a stream. */
function piecesOf(stream: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>): AsyncIterator<Uint8Array> {
  if (!('getReader' in stream)) return stream[Symbol.asyncIterator]();
  const reader = stream.getReader();
  return {
    next: async () => (await reader.read()) as IteratorResult<Uint8Array>,
    async return() {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
}

import type { UploadSource } from './upload-source.ts';

/** The bytes of a source as they are asked for, never more than a piece ahead, and exactly as many as it announced. */
export function countedStream(
  source: UploadSource,
  onBytes: (bytes: number) => void = () => {},
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const pieces = piecesOf(source.stream());
  let bytes = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        bytes += value?.byteLength ?? 0;
        if (bytes > source.size || (done && bytes < source.size)) throw wrongSize(source.size);
        if (done) return controller.close();
        controller.enqueue(value as Uint8Array<ArrayBuffer>);
        onBytes(bytes);
      },
      async cancel() {
        await pieces.return?.();
      },
    },
    { highWaterMark: 0 },
  );
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

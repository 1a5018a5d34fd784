import type { CachedBlob } from '../static/blob-library.ts';
import type { BlobSlice, StaticAnswer } from '../static/static-answer.ts';

/**
 * Head and body of a small file in one piece, so that they go out with one write. It is kept for the
 * next request, which is the same until the date changes.
 */
export function readyBytes(blob: CachedBlob, answer: StaticAnswer, tail: string): Buffer {
  const { ready } = blob;
  if (ready !== null && ready.answer === answer && ready.tail === tail) return ready.bytes;
  const { start, end, size } = answer.body as BlobSlice;
  const part = end - start === size ? blob.bytes : blob.bytes.subarray(start, end);
  const bytes = Buffer.concat([Buffer.from(answer.head + tail, 'latin1'), part]);
  blob.ready = { answer, tail, bytes };
  return bytes;
}

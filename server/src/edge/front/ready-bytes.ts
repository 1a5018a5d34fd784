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
  const bytes = joined(answer.head + tail, part);
  blob.ready = { answer, tail, bytes };
  return bytes;
}

/** In memory of its own: a slice of what Node shares out among small buffers would keep all 64 KB of that. */
function joined(head: string, body: Buffer): Buffer {
  const bytes = Buffer.allocUnsafeSlow(head.length + body.length);
  bytes.write(head, 'latin1');
  body.copy(bytes, head.length);
  return bytes;
}

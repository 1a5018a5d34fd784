import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { Fault } from '../../lib/fault.ts';
import type { PutTerms } from '../object-store.ts';
import { assertLength } from './assert-length.ts';

/** Fewer than `slowBytes` in `slowAfterMs`, and the sender is cut off. */
export interface ReceiveLimits {
  slowAfterMs: number;
  slowBytes: number;
}

/**
 * The body as it comes, no more of it in memory than the disk is behind. It fails as soon as there is a
 * byte too many, one too few at the end, when the sender is too slow, or when the connection breaks.
 */
export function receiveBody(
  request: IncomingMessage,
  response: ServerResponse,
  terms: ReceiveLimits & Pick<PutTerms, 'size'>,
): Readable {
  // Only now: whoever asked first has not sent the body in vain if the answer was no.
  if (/^100-continue$/i.test(request.headers.expect ?? '')) response.writeContinue();
  return Readable.from(countedChunks(request, terms), { objectMode: false });
}

async function* countedChunks(
  request: IncomingMessage,
  { size, slowAfterMs, slowBytes }: ReceiveLimits & Pick<PutTerms, 'size'>,
): AsyncIterable<Buffer> {
  const most = 'exact' in size ? size.exact : size.max;
  let received = 0;
  let before = 0;
  const tooSlow = Promise.withResolvers<never>();
  tooSlow.promise.catch(() => {});
  const watch = setInterval(() => {
    if (received - before < slowBytes) tooSlow.reject(new Fault('VA001', 'The body comes too slowly. Try again.'));
    before = received;
  }, slowAfterMs);
  // The request must outlive this, or nobody could be told what is wrong.
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  try {
    for (;;) {
      const next = await Promise.race([chunks.next(), tooSlow.promise]);
      if (next.done) break;
      received += next.value.length;
      if (received > most) assertLength(received, size);
      yield next.value;
    }
    assertLength(received, size);
  } finally {
    clearInterval(watch);
  }
}

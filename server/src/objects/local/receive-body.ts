import type { IncomingMessage, ServerResponse } from 'node:http';
import { Transform, type Readable } from 'node:stream';
import { Fault } from '../../lib/fault.ts';
import type { PutTerms } from '../object-store.ts';
import { lengthFault } from './length-fault.ts';

/** Fewer than `slowBytes` in `slowAfterMs`, and the sender is cut off. */
export interface ReceiveLimits {
  slowAfterMs: number;
  slowBytes: number;
}

export type ReceiveTerms = ReceiveLimits & Pick<PutTerms, 'size'>;

/**
 * The body as it comes, no more of it in memory than the disk is behind. It fails as soon as there is a
 * byte too many, one too few at the end, when the sender is too slow, or when the connection breaks.
 */
export function receiveBody(request: IncomingMessage, response: ServerResponse, terms: ReceiveTerms): Readable {
  // Only now: whoever asked first has not sent the body in vain if the answer was no.
  if (/^100-continue$/i.test(request.headers.expect ?? '')) response.writeContinue();
  const counter = createCounter(terms);
  request.on('error', (error) => counter.destroy(error));
  request.on('close', () => {
    if (!request.complete) counter.destroy(new Error('The connection broke.'));
  });
  // Not a pipeline, which would end the request together with this: its sender must be told what is wrong.
  return request.pipe(counter);
}

function createCounter({ size, slowAfterMs, slowBytes }: ReceiveTerms): Transform {
  let received = 0;
  let before = 0;
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      // Too few so far is no fault before the end.
      const fault = lengthFault(received, size);
      done(fault?.code === 'LM002' ? fault : null, chunk);
    },
    flush: (done) => done(lengthFault(received, size)),
    destroy(error, done) {
      clearInterval(watch);
      done(error);
    },
  });
  const watch = setInterval(() => {
    if (received - before < slowBytes) counter.destroy(new Fault('VA001', 'The body comes too slowly. Try again.'));
    before = received;
  }, slowAfterMs);
  return counter;
}

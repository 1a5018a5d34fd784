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

export type ReceiveTerms = ReceiveLimits &
  Pick<PutTerms, 'size'> & {
    /** Rejects when the disk has no room for so many bytes more: others write to it meanwhile. */
    hasRoom: (bytes: number) => Promise<void>;
  };

/** After so much it is asked again. */
const ROOM_STEP_BYTES = 16 * 1024 ** 2;

/**
 * The body as it comes, no more of it in memory than the disk is behind. It fails as soon as there is a
 * byte too many, one too few at the end, when the disk gets full, when the sender is too slow, or when the connection
 * breaks.
 */
export function receiveBody(request: IncomingMessage, response: ServerResponse, terms: ReceiveTerms): Readable {
  // Only now: whoever asked first has not sent the body in vain if the answer was no.
  if (/^100-continue$/i.test(request.headers.expect ?? '')) response.writeContinue();
  const counter = createCounter(terms);
  request.on('error', (error) => counter.destroy(error));
  const noteEnd = () => {
    if (!request.complete) counter.destroy(new Error('The connection broke.'));
  };
  if (request.destroyed) noteEnd();
  request.on('close', noteEnd);
  // Not a pipeline, which would end the request together with this: its sender must be told what is wrong.
  return request.pipe(counter);
}

function createCounter({ size, hasRoom, slowAfterMs, slowBytes }: ReceiveTerms): Transform {
  let received = 0;
  let before = 0;
  let askAt = ROOM_STEP_BYTES;
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      // Too few so far is no fault before the end.
      const fault = lengthFault(received, size);
      if (fault?.code === 'LM002') return done(fault);
      if (received < askAt) return done(null, chunk);
      askAt = received + ROOM_STEP_BYTES;
      void faultOf(hasRoom(ROOM_STEP_BYTES), (full) => done(full, chunk));
    },
    flush: (done) => done(lengthFault(received, size)),
    destroy(error, done) {
      clearInterval(watch);
      done(error);
    },
  });
  const watch = setInterval(() => {
    if (received - before < slowBytes) counter.destroy(new Fault('VA001', 'The body arrives too slowly. Try again.'));
    before = received;
  }, slowAfterMs);
  return counter;
}

async function faultOf(work: Promise<void>, tell: (fault: Error | null) => void): Promise<void> {
  let fault: Error | null = null;
  try {
    await work;
  } catch (error) {
    fault = error as Error;
  }
  tell(fault);
}

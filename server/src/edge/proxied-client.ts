import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import { expectsContinue, hasBody, isChunked } from './framing.ts';
import type { RawHeaders } from './headers.ts';

/** Whose request is passed on, and who gets the answer, whichever version of HTTP it speaks. */
export interface ProxiedClient {
  readonly method: string;
  readonly rawHeaders: RawHeaders;
  readonly hasBody: boolean;
  /** The body does not say how long it is. */
  readonly isChunked: boolean;
  /** The client sends the body only when it is told to. */
  readonly expectsContinue: boolean;
  readonly body: Readable;
  /** The request is here as a whole. */
  readonly isComplete: boolean;
  /** The answer has begun. */
  readonly isAnswered: boolean;
  /** The answer is out. */
  readonly isServed: boolean;
  /** The client is gone. */
  readonly isGone: boolean;
  askForBody(): void;
  /** Begins the answer; the rest of it goes where this leads. Null: nothing more is wanted of it. */
  answer(head: AnswerHead): Writable | null;
  /** It was answered before all of its body was here, which nobody needs any more. */
  dropBody(): void;
  /** The answer is out, or nobody waits for it any more. */
  onceOver(listener: () => void): void;
  offOver(listener: () => void): void;
}

export interface AnswerHead {
  status: number;
  reason: string | undefined;
  headers: string[];
}

/** The client of a request that Node's HTTP server has read. */
export function clientOf(request: IncomingMessage, response: ServerResponse): ProxiedClient {
  return {
    method: request.method ?? 'GET',
    rawHeaders: request.rawHeaders,
    hasBody: hasBody(request),
    isChunked: isChunked(request),
    expectsContinue: expectsContinue(request),
    body: request,
    get isComplete() {
      return request.complete;
    },
    get isAnswered() {
      return response.headersSent;
    },
    get isServed() {
      return response.writableFinished;
    },
    get isGone() {
      return response.destroyed;
    },
    askForBody: () => response.writeContinue(),
    answer: ({ status, reason, headers }) => response.writeHead(status, reason, headers),
    // It reads the answer only when it got rid of the rest, or it would see a broken connection.
    dropBody: () => void request.resume(),
    onceOver: (listener) => void response.once('close', listener),
    offOver: (listener) => void response.off('close', listener),
  };
}

import { constants, type ServerHttp2Stream } from 'node:http2';
import type { ProxiedClient } from '../../proxied-client.ts';
import type { Header } from '../../static/header-rules.ts';
import { answerFields } from './answer-fields.ts';
import type { StreamHead } from './stream-head.ts';

/** Who asks by a stream of HTTP/2, as whoever passes requests on knows clients. */
export function clientOfStream(stream: ServerHttp2Stream, head: StreamHead, added: Header | null): ProxiedClient {
  const { method, rawHeaders, hasBody, isChunked, expectsContinue } = head;
  return {
    method,
    rawHeaders,
    hasBody,
    isChunked,
    expectsContinue,
    body: stream,
    get isComplete() {
      return !hasBody || stream.readableEnded;
    },
    get isAnswered() {
      return stream.headersSent;
    },
    get isServed() {
      return stream.writableFinished;
    },
    get isGone() {
      return stream.closed || stream.destroyed;
    },
    askForBody: () => {
      if (!stream.closed && !stream.destroyed) stream.additionalHeaders({ ':status': 100 });
    },
    answer: ({ status, headers }) => {
      if (stream.closed || stream.destroyed) return null;
      try {
        stream.respond(answerFields(status, headers, added));
      } catch {
        // HTTP/2 has no words for it: statuses above 599.
        stream.respond({ ':status': 502 }, { endStream: true });
      }
      // There is no body to a HEAD, nor with some statuses: then the stream has ended already.
      return stream.writableEnded ? null : stream;
    },
    // The answer is whole, and the client may stop sending (RFC 9113, 8.1).
    dropBody: () => stream.close(constants.NGHTTP2_NO_ERROR),
    onceOver: (listener) => void stream.once('close', listener),
    offOver: (listener) => void stream.off('close', listener),
  };
}

import { constants, type ServerHttp2Stream } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { Log } from '../../../lib/log.ts';
import { isChallengePath } from '../../acme-challenge-path.ts';
import type { Answers, EdgeError } from '../../answer.ts';
import { unavailable, type AppAnswers } from '../../app-answers.ts';
import { tooLargeHeaders, tooSlow } from '../../broken-request.ts';
import type { Identify } from '../../client-identity.ts';
import { MAX_HEAD_BYTES } from '../../front/head-scanner.ts';
import type { ForwardedFor } from '../../headers.ts';
import { brokenAnswer } from '../../pages/app-errors.ts';
import type { Passages } from '../../passages.ts';
import {
  apiBroke,
  apiUnavailable,
  misdirected,
  notUnderstood,
  REQUEST_LIMIT_MS,
  unknownHost,
} from '../../platform-errors.ts';
import type { createRouter } from '../../router.ts';
import type { BlobLibrary } from '../../static/blob-library.ts';
import type { Header } from '../../static/header-rules.ts';
import { logUnreadable } from '../../static/log-unreadable.ts';
import { errorAnswer, type StaticAnswer, type StaticRequest } from '../../static/static-answer.ts';
import { staticRequestOf } from '../../static/write-response.ts';
import type { HttpsRules } from '../https-rules.ts';
import { answerStream } from './answer-stream.ts';
import { clientOfStream } from './stream-client.ts';
import type { StreamHead } from './stream-head.ts';

export interface StreamServerOptions {
  routeOf: ReturnType<typeof createRouter>;
  appAnswers: AppAnswers;
  answers: Answers;
  passages: Passages;
  blobs: BlobLibrary;
  identify: Identify;
  rules: Pick<HttpsRules, 'isStrict' | 'strictHeader' | 'isMisdirected'>;
  log: Log;
}

type ServeStream = (stream: ServerHttp2Stream, head: StreamHead | null, socket: TLSSocket) => void;

/** One request, as far as it is known whose it is. */
interface Visit {
  stream: ServerHttp2Stream;
  socket: TLSSocket;
  head: StreamHead;
  identity: ForwardedFor;
  /** What is added to the answer. */
  added: Header | null;
}

/**
 * Answers requests of HTTP/2. Files are answered here; what is for the api goes there; all else goes on by the edge's
 * own way in as HTTP/1.1, where it is held, counted and placed like any other.
 */
export function createStreamServer(options: StreamServerOptions): ServeStream {
  const { routeOf, appAnswers, answers, passages, blobs, identify, rules, log } = options;

  async function serve(visit: Visit): Promise<void> {
    const { head, socket } = visit;
    if (byteCountOf(head) > MAX_HEAD_BYTES) return say(visit, tooLargeHeaders);
    const route = routeOf(head.host);
    if (route.kind === 'unknown') return say(visit, unknownHost);
    if (rules.isMisdirected(socket, head.host)) return say(visit, misdirected);
    if (route.kind === 'platform' || isChallengePath(head.path)) return passToApi(visit);
    const question = staticRequestOf(head, head.path);
    const planned = appAnswers(route.name, question);
    head.environmentId = question.counters?.environmentId ?? null;
    // No such application, or its password's form: the HTTP server knows what to say.
    if (planned === null || 'take' in planned) return passInside(visit);
    return give(visit, await planned, question);
  }

  async function give({ stream, head, added }: Visit, planned: StaticAnswer, question: StaticRequest): Promise<void> {
    const { counters, access } = question;
    const startedAtMs = performance.now();
    let status = 0;
    const write = (answer: StaticAnswer) =>
      answerStream(stream, {
        answer,
        isHead: head.method === 'HEAD',
        added,
        blobs,
        onBegin: () => {
          status = answer.status;
          counters?.noteAnswer(status, performance.now() - startedAtMs);
        },
      });
    const bytesOut = await write(planned).catch((error: unknown) => {
      if (stream.headersSent) throw error;
      logUnreadable(log, { err: error }, 'A file of a release cannot be read');
      return write(errorAnswer(unavailable, question.accept));
    });
    if (status === 0) counters?.noteGone(performance.now() - startedAtMs);
    counters?.noteBytes(byteCountOf(head), bytesOut);
    access?.end(status, bytesOut);
  }

  async function passToApi(visit: Visit): Promise<void> {
    const { stream, head, identity, added } = visit;
    const isObject = head.path.startsWith('/objects/');
    if (!isObject && head.hasBody) limitBodyTime(visit);
    const proxy = isObject ? passages.objects : passages.api;
    const outcome = await proxy.forward({ client: clientOfStream(stream, head, added), path: head.path, identity });
    if (outcome === 'unreachable') await say(visit, apiUnavailable);
    if (outcome === 'broken') await say(visit, apiBroke);
  }

  async function passInside(visit: Visit): Promise<void> {
    const { stream, head, identity, added } = visit;
    const client = clientOfStream(stream, head, added);
    const outcome = await passages.inside.forward({ client, path: head.path, identity });
    if (outcome === 'unreachable') await say(visit, unavailable);
    if (outcome === 'broken') await say(visit, brokenAnswer);
  }

  async function say({ stream, head, identity, added }: Visit, error: EdgeError): Promise<void> {
    if (stream.headersSent || stream.closed || stream.destroyed) return;
    const answer = answers.plan({ address: identity.address, accept: head.headers.accept ?? '' }, error);
    await answerStream(stream, { answer, isHead: head.method === 'HEAD', added, blobs, onBegin: () => {} });
  }

  /** A request to the api that is not here in time is answered as one that broke off. */
  function limitBodyTime(visit: Visit): void {
    const { stream } = visit;
    const timer = setTimeout(() => {
      if (stream.readableEnded) return;
      if (stream.headersSent) stream.close(constants.NGHTTP2_CANCEL);
      else void say(visit, tooSlow);
    }, REQUEST_LIMIT_MS).unref();
    stream.once('close', () => clearTimeout(timer));
  }

  return (stream, head, socket) => {
    if (head === null) return refuse(stream);
    const { headers, host } = head;
    const { address, protocol } = identify({
      remoteAddress: socket.remoteAddress ?? '',
      isSecure: true,
      forwardedFor: headers['x-forwarded-for']?.toString(),
      forwardedProto: headers['x-forwarded-proto']?.toString(),
    });
    const added = rules.isStrict?.(host) ? rules.strictHeader : null;
    serve({ stream, socket, head, identity: { address, protocol, host }, added }).catch((error: unknown) => {
      log.error({ err: error }, 'A request could not be handled');
      stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    });
  };

  function refuse(stream: ServerHttp2Stream): void {
    const answer = errorAnswer(notUnderstood, '');
    void answerStream(stream, { answer, isHead: false, added: null, blobs, onBegin: () => {} }).catch(() =>
      stream.destroy(),
    );
  }
}

/** As HTTP/1.1 would have it; how few bytes it is here is not told to anybody. */
function byteCountOf({ method, path, rawHeaders }: StreamHead): number {
  return rawHeaders.reduce((sum, text) => sum + text.length + 2, `${method} ${path} HTTP/1.1\r\n\r\n`.length);
}

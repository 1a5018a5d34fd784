import {
  constants,
  performServerHandshake,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { Front } from '../../front/front.ts';
import { MAX_HEAD_BYTES } from '../../front/head-scanner.ts';
import type { HeldConnection } from '../../front/held-connection.ts';
import { KEEP_ALIVE_SECONDS, LINGER_MS, SILENCE_LIMIT_MS } from '../../front/limits.ts';
import type { IsStray } from '../../is-stray.ts';
import { Liveness } from './liveness.ts';
import { Patience } from './patience.ts';
import { readStreamHead, type StreamHead } from './stream-head.ts';
import { spareOthers } from './spare-others.ts';
import type { StreamShares } from './stream-shares.ts';

/** Streams of one client at a time; browsers want a hundred. */
const MAX_STREAMS = 100;
/** What a client may send ahead: of one body, and of all. */
const STREAM_WINDOW_BYTES = 256 * 1024;
const SESSION_WINDOW_BYTES = 1024 * 1024;
/** As many as Node takes by HTTP/1.1. */
const MAX_HEADER_FIELDS = 2000;
/** Names and values, and 32 bytes for each: so that what HTTP/1.1 takes is taken here. */
const MAX_HEADER_BYTES = MAX_HEAD_BYTES + 32 * MAX_HEADER_FIELDS;
/** The largest number of a stream: none is above it. */
const ANY_STREAM = 2 ** 31 - 1;

const OPTIONS = {
  settings: {
    maxConcurrentStreams: MAX_STREAMS,
    initialWindowSize: STREAM_WINDOW_BYTES,
    maxHeaderListSize: MAX_HEADER_BYTES,
    enablePush: false,
  },
  maxHeaderListPairs: MAX_HEADER_FIELDS,
  // An application may say things twice; that is between it and the client.
  strictSingleValueFields: false,
};

export interface Http2ConnectionOptions {
  front: Front;
  shares: StreamShares;
  /** The address of the client that a stream belongs to. */
  addressOf: (headers: IncomingHttpHeaders, socket: TLSSocket) => string;
  /** Null: it is not to be understood. */
  serve: (stream: ServerHttp2Stream, head: StreamHead | null, socket: TLSSocket) => void;
}

/** One client that speaks HTTP/2: many requests at a time, each in a stream of its own. */
export class Http2Connection implements HeldConnection {
  readonly socket: TLSSocket;
  quietSince: number;
  readonly #options: Http2ConnectionOptions;
  readonly #session: ServerHttp2Session;
  readonly #liveness = new Liveness();
  readonly #patience: Patience;
  readonly #open = new Map<ServerHttp2Stream, StreamHead | null>();
  readonly #noteClosed: ReturnType<typeof spareOthers>;
  #closedAt = Infinity;

  constructor(socket: TLSSocket, options: Http2ConnectionOptions) {
    const { front } = options;
    this.socket = socket;
    this.#options = options;
    this.quietSince = front.now;
    this.#patience = new Patience(front.now);
    const session = performServerHandshake(socket, OPTIONS);
    this.#session = session;
    this.#noteClosed = spareOthers(session);
    // What a client does wrong ends its session; there is nobody to tell.
    session.on('error', () => {});
    session.setLocalWindowSize(SESSION_WINDOW_BYTES);
    session.on('stream', (stream, headers, _flags, raw) => this.#begin(stream, headers, raw));
    // Each is to be answered, and nobody needs many.
    session.on('ping', () => this.#usePatience()).on('remoteSettings', () => this.#usePatience());
    // Other than in HTTP/1.1, nobody says no more and still listens.
    socket.once('end', () => this.destroy());
    socket.once('close', () => front.forget(this));
    front.hold(this);
  }

  get isIdle(): boolean {
    return this.#open.size === 0 && this.#closedAt === Infinity;
  }

  get isDispensable(): boolean {
    return this.#open.size === 0 && !this.socket.destroyed;
  }

  onTick(now: number): void {
    // Clients end sessions too.
    if (this.#session.closed || this.#session.destroyed) this.#closedAt = Math.min(this.#closedAt, now);
    if (this.#open.size > 0) this.#watch(now);
    else if (now - this.#closedAt >= LINGER_MS) this.destroy();
    else if (this.isIdle && now - this.quietSince >= KEEP_ALIVE_SECONDS * 1000) this.close();
  }

  /**
   * An answer may be quiet for long; but who has gone may never be noticed, since nothing is read while a write hangs.
   */
  #watch(now: number): void {
    const seems = this.#liveness.look(now, this.socket.bytesRead);
    if (seems === 'gone') this.destroy();
    else if (seems === 'ask' && !this.#session.destroyed) this.#session.ping(() => {});
  }

  /** It opens no more streams here; those that are on their way still count. */
  onStop(): void {
    if (!this.#session.closed && !this.#session.destroyed) this.#session.goaway(constants.NGHTTP2_NO_ERROR, ANY_STREAM);
  }

  endStrays(isStray: IsStray): void {
    for (const [stream, head] of this.#open) {
      const isOne = head !== null && head.environmentId !== null && isStray(head.host, head.environmentId);
      if (isOne) stream.destroy(new Error('It was asked for by a name that leads elsewhere'));
    }
  }

  close(): void {
    this.#closedAt = Math.min(this.#closedAt, this.#options.front.now);
    this.#session.close();
  }

  destroy(): void {
    this.#session.destroy();
    this.socket.destroy();
  }

  #begin(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, raw: string[]): void {
    const { shares, addressOf, serve, front } = this.#options;
    stream.on('error', () => {});
    const giveBack = shares.take(addressOf(headers, this.socket));
    if (giveBack === null) {
      this.#usePatience();
      // Nothing of it was looked at, so that it may be sent again.
      return stream.close(constants.NGHTTP2_REFUSED_STREAM);
    }
    const hasBody = !stream.endAfterHeaders;
    const head = readStreamHead(headers, raw, hasBody);
    this.#open.set(stream, head);
    stream.once('close', () => {
      giveBack();
      this.#open.delete(stream);
      this.#noteClosed(stream.rstCode);
      this.quietSince = front.now;
      if (stream.rstCode !== constants.NGHTTP2_NO_ERROR) this.#usePatience();
    });
    endTimerWith(stream);
    // A client that sends nothing of its body, or takes nothing of its answer, is gone; an answer may be quiet for
    // long.
    stream.setTimeout(SILENCE_LIMIT_MS, () => {
      const isAwaited = (hasBody && !stream.readableEnded) || stream.writableLength > 0;
      if (isAwaited) stream.close(constants.NGHTTP2_CANCEL);
    });
    serve(stream, head, this.socket);
  }

  #usePatience(): void {
    if (this.#session.destroyed || this.#patience.use(this.#options.front.now)) return;
    this.#session.destroy(new Error('It asks for too much in vain'), constants.NGHTTP2_ENHANCE_YOUR_CALM);
  }
}

/**
 * Node ends the timer of a stream that is closed, and forgets that of one that is destroyed, as all are with their
 * session: it would keep both for as long as a client may be silent.
 */
function endTimerWith(stream: ServerHttp2Stream): void {
  const destroy = stream.destroy.bind(stream);
  stream.destroy = (error) => {
    stream.setTimeout(0);
    return destroy(error);
  };
}

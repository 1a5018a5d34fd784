import { connect, type Socket } from 'node:net';
import type { InstanceAddress } from '../../routing/route.ts';
import { MALFORMED } from '../front/head-scanner.ts';
import { AS_TEXT_BYTES, giveBackBuffer, sharedBuffer, takeBuffer } from './answer-buffers.ts';
import type { AnswerTaker, BreakCause } from './answer-taker.ts';
import { BodyFollower } from './body-follower.ts';
import { CONNECT_LIMIT_MS, DOUBTFUL_AFTER_MS, WATCH_EVERY_MS } from './limits.ts';
import { ResponseHead } from './response-head.ts';

/** What a connection tells the pool that it belongs to. */
export interface ConnectionOwner {
  /** The exchange is over, and the connection may be used again. */
  takeBack(connection: UpstreamConnection): void;
  /** The connection is closed. */
  forget(connection: UpstreamConnection): void;
}

type Phase = 'idle' | 'head' | 'body' | 'tunnel' | 'over';

/** After as many small reads in a row, its own buffer is more than it needs. */
const MANY_SMALL_READS = 8;
const head = new ResponseHead();

/** One connection to an instance: one request at a time, and its answer. */
export class UpstreamConnection {
  readonly socket: Socket;
  isConnected = false;
  /** The connection has served a request before. */
  isReused = false;
  /** Something of the request was written: from then on the instance may have got it. */
  isRequestBegun = false;
  /** All of the request was sent. Before that, it cannot be used for another. */
  isRequestWhole = false;
  /** By `performance.now()`: since when it is idle, and when it has been for too long. */
  idleSinceMs = 0;
  idleUntilMs = 0;
  keepAliveSeconds = 0;
  readonly #owner: ConnectionOwner;
  #taker: AnswerTaker | null = null;
  #phase: Phase = 'idle';
  #mayBeKept = false;
  /** A head that is not whole yet. */
  #rest: Buffer | null = null;
  readonly #body = new BodyFollower();
  #own: Buffer | null = null;
  #smallReads = 0;

  constructor({ host, port }: InstanceAddress, owner: ConnectionOwner) {
    this.#owner = owner;
    const onread = {
      buffer: () => this.#own ?? sharedBuffer,
      callback: (length: number, buffer: Uint8Array) => this.#onRead(length, buffer as Buffer),
    };
    const watch = { keepAlive: true, keepAliveInitialDelay: WATCH_EVERY_MS };
    this.socket = connect({ host, port, noDelay: true, allowHalfOpen: true, ...watch, onread });
    const timer = setTimeout(() => this.destroy(), CONNECT_LIMIT_MS);
    this.socket.once('connect', () => {
      clearTimeout(timer);
      this.isConnected = true;
      this.#taker?.onConnected();
    });
    this.socket.on('end', () => this.#onEnd());
    this.socket.on('error', () => this.destroy());
    this.socket.on('close', () => {
      clearTimeout(timer);
      this.destroy();
    });
  }

  /** Serves this taker from now on, which is told when it may send. */
  serve(taker: AnswerTaker): void {
    this.#taker = taker;
    this.#phase = 'head';
    this.isRequestBegun = this.isRequestWhole = false;
    if (!this.isConnected) return;
    if (performance.now() - this.idleSinceMs < DOUBTFUL_AFTER_MS) return taker.onConnected();
    // It may have been closed in the meantime: what the kernel knows of that is told before this is called.
    setImmediate(() => {
      if (this.#taker === taker) taker.onConnected();
    });
  }

  /** The taker wants no answer any more. */
  abandon(): void {
    this.#taker = null;
    this.destroy();
  }

  destroy(): void {
    this.#break('closed');
  }

  /** The other end is gone, which the connection does not hear by itself. */
  lose(): void {
    this.#break('lost');
  }

  retire(): void {
    this.#taker?.onRetired();
  }

  shutOut(): void {
    this.#taker?.onShutOut();
  }

  readonly #resume = (): void => {
    if (this.#phase !== 'over') this.socket.resume();
  };

  /** False: read no further for now. */
  #onRead(length: number, buffer: Buffer): boolean {
    if (this.#phase === 'idle' || this.#phase === 'over') {
      // Nobody has asked for this: it might be taken for the answer to the next request.
      this.destroy();
      return false;
    }
    if (this.#phase === 'head' && !this.isRequestBegun) {
      // An answer to nothing: the request has not been sent yet.
      this.destroy();
      return false;
    }
    const isGoingOn = this.#rest === null ? this.#take(buffer, length) : this.#takeWithRest(buffer.subarray(0, length));
    this.#chooseBuffer(length);
    return isGoingOn;
  }

  #takeWithRest(bytes: Buffer): boolean {
    const all = Buffer.concat([this.#rest!, bytes]);
    this.#rest = null;
    return this.#take(all, all.length);
  }

  #take(bytes: Buffer, to: number): boolean {
    const at = this.#phase === 'head' ? this.#takeHeads(bytes, to) : 0;
    if (at < 0) return false;
    if (this.#phase === 'head') return true;
    if (this.#phase === 'tunnel') return at === to || this.#pass(bytes, at, to);
    return this.#takeBody(bytes, at, to);
  }

  /** Where the body begins; negative when this is no answer. */
  #takeHeads(bytes: Buffer, to: number): number {
    let at = 0;
    while (at < to && this.#phase === 'head') {
      const result = head.read(bytes, at, to);
      if (result === 'malformed') this.#break('unreadable');
      if (result === 'malformed') return MALFORMED;
      if (result === 'incomplete') {
        this.#rest = Buffer.from(bytes.subarray(at, to));
        return to;
      }
      at = head.end;
      if (head.isInformation) this.#taker!.onInformation(head);
      else this.#beginBody();
    }
    return this.#taker === null ? MALFORMED : at;
  }

  #beginBody(): void {
    const taker = this.#taker!;
    const isTunnel = head.status === 101;
    const framing = head.framingFor(taker.method);
    this.#mayBeKept = head.isKeptAlive && framing !== 'until-close';
    this.keepAliveSeconds = head.keepAliveSeconds;
    this.#phase = isTunnel ? 'tunnel' : 'body';
    if (!isTunnel) this.#body.begin(framing, taker.isDataOnly);
    taker.onAnswer(head);
  }

  #takeBody(bytes: Buffer, from: number, to: number): boolean {
    const body = this.#body;
    let at = from;
    let areOut = true;
    while (at < to && !body.isOver) {
      const isDropped = body.isDropping;
      const end = body.follow(bytes, at, to);
      if (end < 0) {
        this.#break('unreadable');
        return false;
      }
      if (!isDropped && end > at) areOut = this.#give(bytes.subarray(at, end));
      if (this.#taker === null) return false;
      at = end;
    }
    if (body.isOver) return this.#finish(areOut, at < to);
    if (from === to) this.#taker!.onHeadAlone();
    return areOut || this.#pause();
  }

  #pass(bytes: Buffer, from: number, to: number): boolean {
    return this.#give(bytes.subarray(from, to)) || this.#pause();
  }

  /** What lies in the shared buffer must not stay there. */
  #give(bytes: Buffer): boolean {
    const isShared = bytes.length > AS_TEXT_BYTES && bytes.buffer === sharedBuffer.buffer;
    return this.#taker!.onBytes(isShared ? Buffer.from(bytes) : bytes);
  }

  #pause(): boolean {
    this.#taker?.whenOut(this.#resume);
    return false;
  }

  #finish(areOut: boolean, isMore: boolean): boolean {
    const taker = this.#taker!;
    if (!areOut && this.#own !== null) {
      // The client is slow; the instance is not to wait for it.
      const held = this.#own;
      this.#own = null;
      taker.whenOut(() => giveBackBuffer(held));
    }
    this.#taker = null;
    this.#phase = 'idle';
    if (this.#mayBeKept && this.isRequestWhole && !isMore) this.#owner.takeBack(this);
    else this.destroy();
    taker.onEnd();
    return true;
  }

  #onEnd(): void {
    if (this.#phase === 'tunnel') return this.#taker?.onHalfClose();
    if (this.#phase === 'body' && this.#body.isUntilClose) this.#finish(true, false);
    else this.destroy();
  }

  #break(cause: BreakCause): void {
    if (this.#phase === 'over') return;
    if (this.#phase === 'idle') this.#leaveOwnBuffer();
    this.#phase = 'over';
    this.#owner.forget(this);
    this.socket.destroy();
    this.#rest = null;
    const taker = this.#taker;
    this.#taker = null;
    if (taker === null) return;
    const isUnasked = !this.isConnected || (cause === 'lost' && !this.isRequestBegun);
    if (isUnasked) taker.onBroken('refused');
    else taker.onBroken(this.isReused && !this.isRequestBegun ? 'stale' : cause);
  }

  /** What comes much at a time gets a buffer of its own, as long as it does. */
  #chooseBuffer(length: number): void {
    if (length > AS_TEXT_BYTES) {
      this.#smallReads = 0;
      this.#own ??= takeBuffer();
    } else if (this.#own !== null && ++this.#smallReads > MANY_SMALL_READS) {
      this.#leaveOwnBuffer();
    }
  }

  /** Only when all that was read into it is out: small reads come when it is. */
  #leaveOwnBuffer(): void {
    if (this.#own !== null) giveBackBuffer(this.#own);
    this.#own = null;
  }
}

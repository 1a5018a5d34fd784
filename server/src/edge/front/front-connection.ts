import type { Socket } from 'node:net';
import type { EdgeError } from '../answer.ts';
import { notHttp, tooLargeHeaders, tooSlow } from '../broken-request.ts';
import type { Gate } from '../instances/gate.ts';
import { Exchange } from '../proxy/exchange.ts';
import type { ExchangeClient } from '../proxy/exchange-client.ts';
import { WATCH_EVERY_MS } from '../proxy/limits.ts';
import type { StaticAnswer } from '../static/static-answer.ts';
import type { IsStray } from '../is-stray.ts';
import { answerStatic } from './answer-static.ts';
import type { Way } from './client-description.ts';
import type { Front } from './front.ts';
import type { HeldConnection } from './held-connection.ts';
import { KnownClient } from './known-client.ts';
import * as limits from './limits.ts';
import type { HeadFailure, RequestHead } from './request-head.ts';
import { RequestReader } from './request-reader.ts';
import { readShared } from './shared-reads.ts';
import { WaitingBytes } from './waiting-bytes.ts';

/** A client that vanished without a word during a long exchange is found out by the kernel. */
const WATCH_AFTER_TICKS = 30;

/** One client of the front. Requests are answered one at a time, in their order. */
export class FrontConnection implements ExchangeClient, HeldConnection {
  readonly socket: Socket;
  hasEnded = false;
  readonly #front: Front;
  readonly #way: Way;
  readonly #requests = new RequestReader();
  readonly #waiting = new WaitingBytes();
  readonly #client: KnownClient;
  #isBusy = false;
  #isAdvancing = false;
  #isInHead = false;
  /** No further request is taken. */
  #isLast = false;
  #isHandedOver = false;
  #limitAt: number;
  #lingersUntil = 0;
  /** Since its exchange began. */
  #longTicks = 0;
  #exchange: Exchange | null = null;
  /** Whose visitor this is, with the request that is under way; null: nobody's, such as the check of a release. */
  #visited: string | null = null;

  constructor(front: Front, accepted: Socket, way: Way) {
    this.#front = front;
    this.#way = way;
    // What comes by https is decrypted into buffers of its own.
    const socket = way === 'https' ? accepted.on('data', this.#onData) : readShared(accepted, this.#onBytes);
    this.socket = socket;
    this.#client = new KnownClient(front, socket, way);
    this.#limitAt = front.now + limits.KEEP_ALIVE_SECONDS * 1000;
    socket.on('end', this.#onEnd);
    socket.on('error', this.#onError);
    socket.on('close', this.#onClose);
  }

  get isIdle(): boolean {
    return !this.#isBusy && this.#waiting.areNone && !this.#isLast;
  }

  /** No request is under way, and all that was answered is out: there may be part of a head. */
  get isDispensable(): boolean {
    return !this.#isBusy && this.#way !== 'inside' && !this.socket.destroyed && this.socket.writableLength === 0;
  }

  get quietSince(): number {
    if (this.#isLast) return this.#limitAt - limits.LINGER_MS;
    return this.#limitAt - (this.#isInHead ? limits.HEAD_LIMIT_MS : limits.KEEP_ALIVE_SECONDS * 1000);
  }

  close(): void {
    this.#isLast = true;
    this.#isBusy = false;
    this.noteProgress();
    this.resume();
    this.socket.end(() => (this.#limitAt = this.#front.now + limits.LINGER_MS));
  }

  destroy(): void {
    this.socket.destroy();
  }

  breakOff(): void {
    // Only TCP has a way to say so. By https nobody takes it for an end that was meant, for those are announced.
    if (this.#way === 'http') this.socket.resetAndDestroy();
    else this.socket.destroy();
  }

  noteProgress(): void {
    this.limit(limits.SILENCE_LIMIT_MS);
  }

  limit(ms: number): void {
    this.#limitAt = this.#front.now + ms;
  }

  resume(): void {
    if (this.socket.isPaused()) this.socket.resume();
  }

  /** Called about once a second. */
  onTick(now: number, elapsedMs: number): void {
    this.#exchange?.onTick(elapsedMs);
    if (this.#exchange?.isUnderWay && ++this.#longTicks === WATCH_AFTER_TICKS)
      this.socket.setKeepAlive(true, WATCH_EVERY_MS);
    if (now < this.#limitAt) return;
    if (this.#exchange?.isUnderWay) this.#exchange.onTimeLimit();
    else if (this.#isLast || this.#isBusy) this.destroy();
    else if (this.#isInHead) this.refuse(tooSlow);
    else this.close();
  }

  /** The edge ends: who would stay for long is told. */
  onStop(): void {
    this.#exchange?.onRetired();
  }

  endStrays(isStray: IsStray): void {
    if (!this.#isBusy || this.#visited === null || !isStray(this.#client.host, this.#visited)) return;
    // Who speaks WebSocket is told; not in the middle of a frame, which may never end.
    this.#exchange?.onShutOut();
    if (this.#isBusy) this.breakOff();
  }

  forwardedLines(head: RequestHead): string {
    return this.#client.forwardedLines(head);
  }

  endOfHead(isKept: boolean, hasDate: boolean): string {
    if (!isKept || this.#front.isStopping) this.#isLast = true;
    return this.#front.tailOf(!this.#isLast, hasDate, this.#client.isStrict);
  }

  write(answer: StaticAnswer, isKept: boolean): number {
    return this.#front.writeNow(this.socket, answer, this.endOfHead(isKept, false));
  }

  feed(): void {
    const bytes = this.#waiting.take();
    this.#takeRest(bytes, this.#exchange!.takeBytes(bytes, 0));
    this.resume();
  }

  refuse(error: EdgeError): void {
    this.#isLast = true;
    this.#isBusy = false;
    this.#waiting.drop();
    // What still comes is read and dropped: closing on unread bytes would take the answer back.
    this.limit(limits.LINGER_MS);
    this.resume();
    this.#front.options.refuse(this.socket, error);
  }

  /** The next request waits until this one's answer is written. */
  beBusy(): void {
    this.#isBusy = true;
    this.noteProgress();
  }

  /** The next request waits until the client has taken most of this answer. */
  onExchangeOver(): void {
    const { socket } = this;
    if (this.#isLast) return this.close();
    if (socket.writableNeedDrain && socket.writableLength > 0) {
      this.beBusy();
      socket.once('drain', () => this.#continue());
    } else if (this.#isBusy) {
      this.#continue();
    }
  }

  /** The bytes are ours until this returns. */
  readonly #onBytes = (socket: Socket, bytes: Buffer): void => {
    if (this.#isHandedOver) return void socket.push(Buffer.from(bytes));
    const isForExchange = this.#exchange !== null && this.#exchange.wantsBytes;
    this.#takeRest(bytes, isForExchange ? this.#exchange!.takeBytes(bytes, 0) : 0);
  };

  readonly #onData = (bytes: Buffer): void => this.#onBytes(this.socket, bytes);

  readonly #onEnd = (): void => {
    this.hasEnded = true;
    // Who asks from another part of the edge ends only what it wants no more; but in a tunnel, ends are the client's.
    if (this.#way === 'inside' && !this.#exchange?.isTunnel) return this.destroy();
    if (this.#exchange?.isUnderWay) this.#exchange.onClientEnd();
    else if (!this.#isBusy) this.close();
  };

  readonly #onError = (): void => void this.socket.destroy();

  readonly #onClose = (): void => {
    this.#exchange?.abandon();
    this.#front.forget(this);
  };

  /** What is not the exchange's. */
  #takeRest(bytes: Buffer, from: number): void {
    if (from === bytes.length) return;
    if (this.#isLast) return this.#drop();
    if (this.#isBusy) return this.#hold(bytes, from);
    const rest = from === 0 ? bytes : bytes.subarray(from);
    this.#advance(this.#waiting.takeWith(rest));
  }

  /** For later. */
  #hold(bytes: Buffer, from: number): void {
    if (from === bytes.length) return;
    this.#waiting.add(bytes.subarray(from));
    if (this.#waiting.areMany) this.socket.pause();
  }

  /** Whoever still sends gets some time to notice that nobody listens. */
  #drop(): void {
    if (this.#isBusy) return;
    const { now } = this.#front;
    if (this.#lingersUntil === 0) this.#lingersUntil = now + limits.LONGEST_LINGER_MS;
    this.#limitAt = Math.min(now + limits.LINGER_MS, this.#lingersUntil);
  }

  /** Answers what waits, until it has to wait for the client, for a file, or for the rest of a head. */
  #advance(bytes: Buffer): void {
    let at = 0;
    this.#isAdvancing = true;
    while (!this.#isBusy && !this.#isLast && at < bytes.length) {
      const head = this.#requests.read(bytes, at);
      if (typeof head === 'string') return this.#onNoHead(head, bytes.subarray(at));
      const answer = this.#front.plan(head, this.#way);
      if (answer !== null && head.host !== this.#client.host) this.#client.turnTo(head.host);
      if (answer === null || this.#client.isMisdirected) return this.#handOver(bytes.subarray(at));
      this.#visited = head.counters?.environmentId ?? null;
      if ('take' in answer) {
        at = this.#exchangeWith(answer, head, bytes);
      } else {
        answerStatic(this.#front, this, head, answer);
        at = head.end;
      }
    }
    this.#isAdvancing = false;
    this.#isInHead = false;
    if (!this.#isLast || this.#isBusy) this.#hold(bytes, at);
    if (!this.#isBusy && !this.#isLast) this.#awaitNext();
  }

  #onNoHead(failure: HeadFailure, rest: Buffer): void {
    this.#isAdvancing = false;
    this.#waiting.add(rest);
    if (failure !== 'incomplete') return this.refuse(failure === 'malformed' ? notHttp : tooLargeHeaders);
    if (this.hasEnded) return this.close();
    if (this.#isInHead) return;
    this.#isInHead = true;
    this.limit(limits.HEAD_LIMIT_MS);
  }

  #awaitNext(): void {
    if (this.hasEnded) this.close();
    else this.limit(limits.KEEP_ALIVE_SECONDS * 1000);
  }

  /** Returns where in the bytes the next request begins, as far as that is known. */
  #exchangeWith(gate: Gate, head: RequestHead, bytes: Buffer): number {
    this.beBusy();
    const exchange = (this.#exchange ??= new Exchange(this));
    this.#longTicks = 0;
    exchange.begin(head, gate);
    if (!exchange.wantsBytes) return head.end;
    // It may have been paused for requests that were sent ahead of this one.
    this.resume();
    return exchange.takeBytes(bytes, head.end);
  }

  #continue(): void {
    if (this.socket.destroyed) return;
    this.#isBusy = false;
    if (this.#isAdvancing) return;
    if (this.#waiting.areNone) this.#awaitNext();
    else this.#advance(this.#waiting.take());
    if (!this.#isBusy) this.resume();
  }

  #handOver(unread: Buffer): void {
    const { socket } = this;
    this.#isHandedOver = true;
    socket.off('data', this.#onData);
    socket.off('end', this.#onEnd);
    socket.off('error', this.#onError);
    socket.off('close', this.#onClose);
    this.#front.forget(this);
    socket.pause();
    socket.unshift(Buffer.from(unread));
    this.#front.options.handOver(socket, this.#way);
    socket.resume();
  }
}

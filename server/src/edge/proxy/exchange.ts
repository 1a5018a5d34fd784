import type { EdgeError } from '../answer.ts';
import { notHttp, tooSlow, unknownExpectation } from '../broken-request.ts';
import type { RequestHead } from '../front/request-head.ts';
import type { Gate, Place, Waiter } from '../instances/gate.ts';
import { brokenAnswer, slowAnswer, unreadableAnswer } from '../pages/app-errors.ts';
import { AnswerSide } from './answer-side.ts';
import type { AnswerTaker, BreakCause } from './answer-taker.ts';
import type { ExchangeClient } from './exchange-client.ts';
import type { ExchangePhase } from './exchange-phase.ts';
import { isRepeatable } from './is-repeatable.ts';
import * as limits from './limits.ts';
import { RequestSide } from './request-side.ts';
import { requestText } from './request-text.ts';
import type { ResponseHead } from './response-head.ts';
import { Stay } from './stay.ts';
import { Tunnel } from './tunnel.ts';
import type { UpstreamConnection } from './upstream-connection.ts';
import { whenWritten } from './write-bytes.ts';

/**
 * A request and its answer, between a client and an instance. Each connection of a client has one, which
 * serves its requests one after the other. The place at the instance is given back exactly once.
 */
export class Exchange implements Waiter, AnswerTaker {
  method = '';
  isDataOnly = false;
  readonly #client: ExchangeClient;
  #phase: ExchangePhase = 'over';
  /** The head of the request, until it is answered. */
  #head: RequestHead | null = null;
  #gate: Gate | null = null;
  #connection: UpstreamConnection | null = null;
  #tunnel: Tunnel | null = null;
  readonly #stay = new Stay();
  readonly #request: RequestSide;
  readonly #answer: AnswerSide;
  #isBeginning = false;
  #isRetired = false;
  #isKept = true;

  constructor(client: ExchangeClient) {
    this.#client = client;
    this.#request = new RequestSide(client, this.#stay);
    this.#answer = new AnswerSide(client, this.#stay);
  }

  get isUnderWay(): boolean {
    return this.#phase !== 'over';
  }

  get isTunnel(): boolean {
    return this.#tunnel !== null;
  }

  /** What the client sends now is the exchange's. */
  get wantsBytes(): boolean {
    if (this.#phase === 'tunnel') return true;
    return this.#phase !== 'over' && this.#phase !== 'waiting' && !this.#request.isWhole;
  }

  begin(head: RequestHead, gate: Gate): void {
    this.#phase = 'waiting';
    this.#head = head;
    this.#gate = gate;
    this.method = head.method;
    this.isDataOnly = head.isHttp10;
    this.#isRetired = false;
    this.#stay.begin(head.byteCount, head);
    this.#request.begin(head);
    this.#answer.await(head);
    this.#client.limit(Infinity);
    this.#isBeginning = true;
    if (head.expectsUnknown) this.#answerItself(unknownExpectation);
    else gate.take(this, head.probe === '' ? undefined : head.probe);
    this.#mindHalf();
    this.#isBeginning = false;
  }

  onPlace(place: Place): void {
    this.#stay.place = place;
    this.#connect(place);
  }

  onRefused(error: EdgeError): void {
    this.#answerItself(error);
  }

  /** Body, or bytes of a tunnel. Returns where what is left of them begins. */
  takeBytes(bytes: Buffer, from: number): number {
    if (this.#tunnel !== null) {
      this.#tunnel.fromClient(bytes.subarray(from));
      return bytes.length;
    }
    const at = this.#request.take(bytes, from);
    if (at < 0 || (this.#client.hasEnded && !this.#request.isWhole)) {
      this.#onBadBody();
      return bytes.length;
    }
    if (this.#request.isWhole) this.#onWholeRequest();
    else if (this.#phase === 'asking') this.#client.limit(limits.BODY_SILENCE_LIMIT_MS);
    return at;
  }

  /** The client says nothing more; it may still listen. */
  onClientEnd(): void {
    if (this.#tunnel !== null) this.#tunnel.onClientEnd();
    else if (this.wantsBytes) this.#onBadBody();
    else this.#mindHalf();
  }

  /** The client is gone. */
  abandon(): void {
    if (this.#phase === 'over') return;
    this.#gate?.cancel(this);
    this.#leaveConnection();
    this.#end();
  }

  onTick(elapsedMs: number): void {
    this.#stay.countBytes();
    if (this.#phase === 'asking' && this.#request.isDripping(elapsedMs)) this.#refuse(tooSlow);
  }

  /** Nothing happened for as long as `limit` said. */
  onTimeLimit(): void {
    this.#tunnel?.shutOut();
    if (this.#phase === 'over') return;
    if (this.#phase !== 'asking') return this.#client.breakOff();
    if (this.#client.hasEnded) return this.#endAndClose();
    const isSending = this.wantsBytes && !this.#client.socket.isPaused();
    if (isSending) this.#refuse(tooSlow);
    else this.#answerItself(slowAnswer);
  }

  onRetired(): void {
    this.#isRetired = true;
    this.#tunnel?.leave();
  }

  onShutOut(): void {
    this.#isRetired = true;
    if (this.#phase === 'answering') this.#client.breakOff();
    else this.#tunnel?.shutOut();
  }

  onConnected(): void {
    const head = this.#head!;
    this.#phase = 'asking';
    this.#request.sendTo(this.#connection!, requestText(head, this.#client.forwardedLines(head)));
    if (this.#request.isWhole) this.#onWholeRequest();
    else if (!this.#isBeginning) this.#client.feed();
  }

  onInformation(head: ResponseHead): void {
    if (!this.#answer.inform(head)) this.#answerItself(unreadableAnswer);
  }

  onAnswer(head: ResponseHead): void {
    if (head.status === 101) return this.#openTunnel(head);
    this.#phase = 'answering';
    this.#stay.hear(head.status);
    this.#isKept = this.#answer.begin(
      head,
      this.#gate!.isPrivate,
      this.#answer.mayBeKept(this.#head!, this.#request.isWhole),
    );
    this.#head = null;
  }

  onHeadAlone(): void {
    this.#answer.flush();
  }

  onBytes(bytes: Buffer): boolean {
    return this.#tunnel === null ? this.#answer.write(bytes) : this.#tunnel.fromInstance(bytes);
  }

  whenOut(callback: () => void): void {
    if (this.#phase === 'answering') this.#answer.whenOut(callback);
    else whenWritten(this.#client.socket, callback);
  }

  onEnd(): void {
    this.#connection = null;
    this.#answer.end();
    this.#afterAnswer();
  }

  onHalfClose(): void {
    this.#tunnel?.onInstanceEnd();
  }

  onBroken(cause: BreakCause): void {
    this.#connection = null;
    if (this.#phase === 'tunnel') return this.#endAndClose();
    // Half an answer must not be taken for a whole one.
    if (this.#phase === 'answering') return this.#client.breakOff();
    if (cause === 'stale') return this.#connect(this.#stay.place!);
    if (cause === 'refused' || (cause === 'lost' && isRepeatable(this.#head!))) {
      this.#phase = 'waiting';
      this.#client.limit(Infinity);
      this.#stay.refuse();
      this.#mindHalf();
    } else {
      this.#answerItself(cause === 'unreadable' ? unreadableAnswer : brokenAnswer);
    }
  }

  /**
   * Once something was written the instance may have got it, and nobody else does: what it did to one it may do to all.
   * Only what asks for nothing to be done is asked again, and only where the machine is gone.
   */
  #connect({ pool }: Place): void {
    this.#phase = 'waiting';
    const nowMs = performance.now();
    this.#connection = isRepeatable(this.#head!) ? pool.take(nowMs) : pool.takeHeard(nowMs);
    this.#connection.serve(this);
  }

  #onWholeRequest(): void {
    if (this.#phase === 'asking') this.#client.limit(limits.FIRST_BYTE_LIMIT_MS);
    else if (this.#phase === 'rest') this.#endWithClient();
    this.#mindHalf();
  }

  /** Nobody waits in the line for a client that has most likely gone. */
  #mindHalf(): void {
    if (!this.#client.hasEnded || (this.#phase !== 'waiting' && this.#phase !== 'asking')) return;
    if (this.#stay.place === null) this.#endAndClose();
    else this.#client.limit(limits.HALF_CLOSED_LIMIT_MS);
  }

  /** It is not well made, or breaks off: the instance must not take it for whole. */
  #onBadBody(): void {
    if (this.#phase === 'asking') this.#refuse(notHttp);
    else if (this.#phase === 'rest') this.#endAndClose();
    else this.#client.breakOff();
  }

  #refuse(error: EdgeError): void {
    this.#leaveConnection();
    this.#stay.answer(error.status ?? 400);
    this.#end();
    this.#client.refuse(error);
  }

  #answerItself(error: EdgeError): void {
    this.#leaveConnection();
    this.#isKept = this.#answer.giveOwn(error, this.#head!, this.#request.isWhole);
    this.#afterAnswer();
  }

  #afterAnswer(): void {
    this.#stay.end();
    this.#request.drop();
    if (this.#request.isWhole || !this.#isKept) return this.#endWithClient();
    this.#phase = 'rest';
    this.#client.limit(limits.BODY_REST_LIMIT_MS);
    if (!this.#isBeginning) this.#client.feed();
  }

  #openTunnel(head: ResponseHead): void {
    const { upgrade } = this.#head!;
    if (upgrade === '') return this.#answerItself(unreadableAnswer);
    this.#phase = 'tunnel';
    this.#stay.hear(101);
    this.#head = null;
    const [client, instance, stay] = [this.#client, this.#connection!.socket, this.#stay];
    this.#answer.beginTunnel(head, upgrade);
    this.#tunnel = new Tunnel({ client, instance, stay, upgrade, onLeft: () => this.#endAndClose() });
    this.#client.feed();
    if (this.#client.hasEnded) this.#tunnel.onClientEnd();
    if (this.#isRetired) this.#tunnel.leave();
  }

  #endWithClient(): void {
    this.#end();
    this.#client.onExchangeOver();
  }

  #endAndClose(): void {
    this.abandon();
    this.#client.close();
  }

  #leaveConnection(): void {
    this.#connection?.abandon();
    this.#connection = null;
    this.#request.drop();
  }

  #end(): void {
    this.#phase = 'over';
    this.#head = null;
    this.#gate = null;
    this.#tunnel = null;
    this.#stay.close();
  }
}

import type { Socket } from 'node:net';
import type { EdgeError } from '../answer.ts';
import { notHttp, tooLargeHeaders, tooSlow } from '../broken-request.ts';
import type { StaticAnswer } from '../static/static-answer.ts';
import type { Front } from './front.ts';
import { HEAD_LIMIT_MS, KEEP_ALIVE_SECONDS, LINGER_MS, MAX_WAITING_BYTES, SILENCE_LIMIT_MS } from './limits.ts';
import { readShared } from './shared-reads.ts';
import { parseRequestHead, type RequestHead } from './request-head.ts';

/** One client of the front. Requests are answered one at a time, in their order. */
export class FrontConnection {
  readonly #front: Front;
  readonly #socket: Socket;
  /** What was received and not yet answered. */
  #waiting: Buffer | null = null;
  #isBusy = false;
  #isInHead = false;
  /** The client says nothing more. */
  #hasEnded = false;
  /** No further request is taken. */
  #isLast = false;
  #isHandedOver = false;
  #limitAt: number;

  constructor(front: Front, accepted: Socket) {
    this.#front = front;
    const socket = readShared(accepted, front.options.server, this.#onBytes);
    this.#socket = socket;
    this.#limitAt = front.now + KEEP_ALIVE_SECONDS * 1000;
    socket.on('end', this.#onEnd);
    socket.on('error', this.#onError);
    socket.on('close', this.#onClose);
  }

  get isIdle(): boolean {
    return !this.#isBusy && this.#waiting === null && !this.#isLast;
  }

  /** It was ended, and waits only for the client to end it too. */
  get isClosing(): boolean {
    return this.#isLast && !this.#isBusy;
  }

  /** When it is closed, if nothing happens until then. */
  get limitAt(): number {
    return this.#limitAt;
  }

  /** Ends it when what was written is out. */
  close(): void {
    this.#isLast = true;
    this.noteProgress();
    this.#socket.end(() => (this.#limitAt = this.#front.now + LINGER_MS));
  }

  destroy(): void {
    this.#socket.destroy();
  }

  noteProgress(): void {
    this.#limitAt = this.#front.now + SILENCE_LIMIT_MS;
  }

  enforceLimit(now: number): void {
    if (now < this.#limitAt) return;
    if (this.#isLast || this.#isBusy) this.destroy();
    else if (this.#isInHead) this.#refuse(tooSlow);
    else this.close();
  }

  /** The bytes are ours until this returns. */
  readonly #onBytes = (socket: Socket, bytes: Buffer): void => {
    if (this.#isHandedOver) return void socket.push(Buffer.from(bytes));
    if (this.#isLast) return;
    const all = this.#waiting === null ? bytes : Buffer.concat([this.#waiting, bytes]);
    if (!this.#isBusy) return this.#advance(all);
    this.#waiting = Buffer.from(all);
    if (all.length > MAX_WAITING_BYTES) socket.pause();
  };

  readonly #onEnd = (): void => {
    this.#hasEnded = true;
    if (!this.#isBusy) this.close();
  };

  readonly #onError = (): void => void this.#socket.destroy();

  readonly #onClose = (): void => this.#front.forget(this);

  /** Answers what waits, until it has to wait for the client, for a file, or for the rest of a head. */
  #advance(bytes: Buffer): void {
    let at = 0;
    while (!this.#isBusy && !this.#isLast && at < bytes.length) {
      const head = parseRequestHead(bytes, at);
      if (typeof head === 'string') {
        this.#waiting = Buffer.from(bytes.subarray(at));
        return head === 'incomplete'
          ? this.#awaitRest()
          : this.#refuse(head === 'malformed' ? notHttp : tooLargeHeaders);
      }
      const answer = this.#front.plan(head);
      if (answer === null) return this.#handOver(bytes.subarray(at));
      at = head.end;
      this.#answer(head, answer);
    }
    this.#waiting = at < bytes.length ? Buffer.from(bytes.subarray(at)) : null;
    this.#isInHead = false;
    if (!this.#isBusy) this.#limitAt = this.#front.now + KEEP_ALIVE_SECONDS * 1000;
  }

  #awaitRest(): void {
    if (this.#hasEnded) return this.close();
    if (this.#isInHead) return;
    this.#isInHead = true;
    this.#limitAt = this.#front.now + HEAD_LIMIT_MS;
  }

  #answer(head: RequestHead, planned: StaticAnswer | Promise<StaticAnswer>): void {
    if (planned instanceof Promise) {
      this.#beBusy();
      planned.then(
        (answer) => this.#write(head, answer),
        () => this.destroy(),
      );
    } else {
      this.#write(head, planned);
    }
  }

  #write(head: RequestHead, planned: StaticAnswer): void {
    const socket = this.#socket;
    if (socket.destroyed) return;
    if (!head.isKeptAlive || this.#front.isStopping) this.#isLast = true;
    const tail = this.#isLast ? this.#front.closeTail : this.#front.keepTail;
    const answer = head.method === 'HEAD' ? { ...planned, body: null } : planned;
    if (this.#front.writeNow(socket, answer, tail)) return this.#afterWrite();
    this.#beBusy();
    void this.#front.writeFromDisk(socket, this, { answer, tail }).then(() => this.#afterWrite());
  }

  /** The next request waits until the client has taken most of this answer. */
  #afterWrite(): void {
    const socket = this.#socket;
    if (this.#isLast) return this.close();
    if (socket.writableNeedDrain && socket.writableLength > 0) {
      this.#beBusy();
      socket.once('drain', () => this.#continue());
    } else if (this.#isBusy) {
      this.#continue();
    }
  }

  #beBusy(): void {
    this.#isBusy = true;
    this.noteProgress();
  }

  #continue(): void {
    if (this.#socket.destroyed) return;
    this.#isBusy = false;
    if (this.#waiting !== null) this.#advance(this.#waiting);
    else this.#limitAt = this.#front.now + KEEP_ALIVE_SECONDS * 1000;
    if (this.#isBusy) return;
    if (this.#hasEnded) this.close();
    else if (this.#socket.isPaused()) this.#socket.resume();
  }

  #handOver(unread: Buffer): void {
    const socket = this.#socket;
    this.#leave();
    socket.pause();
    socket.unshift(Buffer.from(unread));
    this.#front.options.handOver(socket);
    socket.resume();
  }

  #refuse(error: EdgeError): void {
    this.#isLast = true;
    this.#waiting = null;
    // What still comes is read and dropped: closing on unread bytes would take the answer back.
    this.#limitAt = this.#front.now + LINGER_MS;
    this.#front.options.refuse(this.#socket, error);
  }

  #leave(): void {
    this.#isHandedOver = true;
    this.#socket.off('end', this.#onEnd);
    this.#socket.off('error', this.#onError);
    this.#socket.off('close', this.#onClose);
    this.#front.forget(this);
  }
}

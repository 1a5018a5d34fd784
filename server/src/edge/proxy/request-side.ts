import type { Socket } from 'node:net';
import { MALFORMED } from '../front/head-scanner.ts';
import type { RequestHead } from '../front/request-head.ts';
import { AS_TEXT_BYTES } from './answer-buffers.ts';
import { BodyFollower } from './body-follower.ts';
import type { ExchangeClient } from './exchange-client.ts';
import { BODY_GRACE_MS, MAX_DROPPED_BYTES, MIN_BODY_BYTES_PER_SECOND } from './limits.ts';
import type { Stay } from './stay.ts';
import type { UpstreamConnection } from './upstream-connection.ts';
import { writeBytes } from './write-bytes.ts';

/** A request on its way to an instance. It is used again for every request of a client's connection. */
export class RequestSide {
  readonly #client: ExchangeClient;
  readonly #stay: Stay;
  readonly #body = new BodyFollower();
  #connection: UpstreamConnection | null = null;
  /** The head, which goes out with the first bytes of the body. */
  #unsent = '';
  /** Who has to take what was written before the client may go on. */
  #heldBackBy: Socket | null = null;
  #droppedBytes = 0;
  #bodyBytes = 0;
  /** How long the client has had for as much. */
  #bodyMs = 0;

  constructor(client: ExchangeClient, stay: Stay) {
    this.#client = client;
    this.#stay = stay;
  }

  begin(head: RequestHead): void {
    this.#body.begin(head.isChunked ? 'chunked' : (head.contentLength ?? 0));
    this.#droppedBytes = this.#bodyBytes = this.#bodyMs = 0;
    this.drop();
  }

  /** The client has sent all of it. */
  get isWhole(): boolean {
    return this.#body.isOver;
  }

  /** This is where it goes. The head is sent with what is given next. */
  sendTo(connection: UpstreamConnection, headText: string): void {
    this.#connection = connection;
    this.#unsent = headText;
    if (this.isWhole) this.#flush();
  }

  /** The rest of the request is not needed any more. */
  drop(): void {
    this.#connection = this.#heldBackBy = null;
    this.#unsent = '';
  }

  /** Time has passed in which the client could send. True: it has sent too little for all that it had. */
  isDripping(elapsedMs: number): boolean {
    if (this.isWhole || this.#client.socket.isPaused()) return false;
    this.#bodyMs += elapsedMs;
    return this.#bodyMs > BODY_GRACE_MS && this.#bodyBytes * 1000 < this.#bodyMs * MIN_BODY_BYTES_PER_SECOND;
  }

  /** Where what does not belong to it begins; negative when its body is no body. */
  take(bytes: Buffer, from: number): number {
    const body = this.#body;
    const kept: Buffer[] = [];
    let at = from;
    while (at < bytes.length && !body.isOver) {
      const isDropped = body.isDropping;
      const end = body.follow(bytes, at, bytes.length);
      if (end < 0) return end;
      if (!isDropped) kept.push(bytes.subarray(at, end));
      else if ((this.#droppedBytes += end - at) > MAX_DROPPED_BYTES) return MALFORMED;
      at = end;
    }
    this.#stay.bytesIn += at - from;
    this.#bodyBytes += at - from;
    if (this.#connection !== null && kept.length > 0) this.#send(kept);
    this.#flush();
    return at;
  }

  /** With one write, however many they are. They lie in a buffer that is used again. */
  #send(kept: readonly Buffer[]): void {
    const { socket } = this.#connection!;
    this.#connection!.isRequestBegun = true;
    const isOne = kept.length === 1 && kept[0]!.length <= AS_TEXT_BYTES;
    writeBytes(socket, this.#unsent, isOne ? kept[0]! : Buffer.concat(kept));
    this.#unsent = '';
    if (socket.writableNeedDrain) this.#holdBack(socket);
  }

  /** What has come already is still sent, so that this may be called again before the socket is free. */
  #holdBack(socket: Socket): void {
    this.#client.socket.pause();
    if (this.#heldBackBy === socket) return;
    this.#heldBackBy = socket;
    socket.once('drain', () => {
      if (this.#heldBackBy !== socket) return;
      this.#heldBackBy = null;
      this.#client.resume();
    });
  }

  #flush(): void {
    if (this.#connection === null) return;
    if (this.#unsent !== '') {
      this.#connection.isRequestBegun = true;
      this.#connection.socket.write(this.#unsent, 'latin1');
    }
    this.#unsent = '';
    this.#connection.isRequestWhole = this.isWhole;
  }
}

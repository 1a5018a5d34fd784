import type { RequestHead } from '../front/request-head.ts';
import { AS_TEXT_BYTES } from './answer-buffers.ts';
import { BodyFollower } from './body-follower.ts';
import type { ExchangeClient } from './exchange-client.ts';
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

  constructor(client: ExchangeClient, stay: Stay) {
    this.#client = client;
    this.#stay = stay;
  }

  begin(head: RequestHead): void {
    this.#body.begin(head.isChunked ? 'chunked' : (head.contentLength ?? 0));
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

  /** Nobody needs the rest of it. */
  drop(): void {
    this.#connection = null;
    this.#unsent = '';
  }

  /** Where what does not belong to it begins; negative when its body is no body. */
  take(bytes: Buffer, from: number): number {
    const body = this.#body;
    let at = from;
    while (at < bytes.length && !body.isOver) {
      const isDropped = body.isDropping;
      const end = body.follow(bytes, at, bytes.length);
      if (end < 0) return end;
      this.#stay.bytesIn += end - at;
      if (!isDropped && this.#connection !== null) this.#send(bytes.subarray(at, end));
      at = end;
    }
    this.#flush();
    return at;
  }

  /** They lie in a buffer that is used again. */
  #send(bytes: Buffer): void {
    const { socket } = this.#connection!;
    writeBytes(socket, this.#unsent, bytes.length > AS_TEXT_BYTES ? Buffer.from(bytes) : bytes);
    this.#unsent = '';
    if (!socket.writableNeedDrain) return;
    this.#client.socket.pause();
    socket.once('drain', () => this.#client.resume());
  }

  #flush(): void {
    if (this.#connection === null) return;
    if (this.#unsent !== '') this.#connection.socket.write(this.#unsent, 'latin1');
    this.#unsent = '';
    this.#connection.isRequestWhole = this.isWhole;
  }
}

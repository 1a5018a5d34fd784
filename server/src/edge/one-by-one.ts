import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { ChunkedBody } from './chunked-body.ts';
import type { Way } from './front/client-description.ts';
import { servernameOf } from './tls/servername-of.ts';

const BLANK_LINE = Buffer.from('\r\n\r\n');
/** Some clients send an empty line after a body (RFC 9112, 2.2); nobody needs more than a few. */
const MAX_EMPTY_ENDS = 4;
const MAX_PIECES_AT_ONCE = 32;
const NOTHING = Buffer.alloc(0);

/**
 * A connection as the HTTP server gets it: with one request at a time. By itself that server starts all
 * requests that a client has sent ahead, however many, and the answers wait in memory with their files
 * open. Here the bytes are cut where a request may end, the rest is kept until that request is answered,
 * and as long as anything is kept, nothing more is read.
 *
 * A head ends with a blank line; a body says how long it is, or is followed chunk by chunk. What the
 * bytes mean is the server's parser's to say.
 */
export class OneByOne extends Duplex {
  /** How the client came: only by the edge's own way in may somebody say who that is. */
  readonly way: Way;
  readonly #socket: Socket;
  #held: Buffer = NOTHING;
  /** The client says nothing more. */
  #hasEnded = false;
  /** The last bytes that were passed on: a blank line may have begun in them. */
  #tail: Buffer = NOTHING;
  /** What is to come of a body that says how long it is. */
  #bodyLeft = 0;
  /** A body that comes in chunks, until its end. */
  #chunks: ChunkedBody | null = null;
  /** Blank lines, one after the other, with which no request ended. */
  #emptyEnds = 0;
  /** What the server was given so far: of this request, and of those before it. */
  bytesPassed = 0;
  #unanswered = 0;
  #latest: IncomingMessage | null = null;

  constructor(socket: Socket, way: Way) {
    // Nothing is read ahead, so that more is asked for only when all is taken.
    super({ allowHalfOpen: true, decodeStrings: false, readableHighWaterMark: 0 });
    this.#socket = socket;
    this.way = way;
    socket.on('data', (bytes: Buffer) => {
      this.#held = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
      this.#passOn();
    });
    socket.on('end', () => {
      this.#hasEnded = true;
      this.#passOn();
    });
    socket.on('timeout', () => this.emit('timeout'));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
    // The server stops listening to a connection that asks for a tunnel.
    this.on('error', () => {});
  }

  /** To be called with every request of this connection, as soon as the server has its head. */
  begin(request: IncomingMessage, response: ServerResponse): void {
    this.#latest = request;
    this.#unanswered++;
    this.#emptyEnds = 0;
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
    this.#bodyLeft = coding === undefined ? Number(length ?? 0) : 0;
    this.#chunks = coding === undefined ? null : new ChunkedBody();
    response.once('close', () => {
      this.#unanswered--;
      this.#passOn();
    });
  }

  get bytesWritten(): number {
    return this.#socket.bytesWritten;
  }

  get isSecure(): boolean {
    return this.#socket instanceof TLSSocket;
  }

  /** Whom the client has named in its handshake; undefined: nobody, or there was none. */
  get servername(): string | undefined {
    return servernameOf(this.#socket);
  }

  get remoteAddress(): string | undefined {
    return this.#socket.remoteAddress;
  }

  setTimeout(ms: number): this {
    this.#socket.setTimeout(ms);
    return this;
  }

  /** What the server calls after the last answer. */
  destroySoon(): void {
    this.end(() => this.destroy());
  }

  /** A request that is here waits for its answer, so the next one waits too. */
  get #isOccupied(): boolean {
    return this.#unanswered > 0 && this.#latest?.complete === true;
  }

  #passOn(): void {
    // What was pushed and is not read yet may be a request.
    for (let pieces = 0; this.#held.length > 0 && this.readableLength === 0 && !this.#isOccupied; pieces++) {
      if (this.destroyed) return;
      if (pieces === MAX_PIECES_AT_ONCE) return this.#passOnLater();
      this.push(this.#cut());
      if (this.#emptyEnds > MAX_EMPTY_ENDS) return void this.destroy();
    }
    if (this.#held.length > 0) this.#socket.pause();
    else if (this.#hasEnded) this.push(null);
    else if (this.#socket.isPaused()) this.#socket.resume();
  }

  /** Others have their turn in between: bytes that are all blank lines make for many small pieces. */
  #passOnLater(): void {
    this.#socket.pause();
    setImmediate(() => this.#passOn());
  }

  #cut(): Buffer {
    const end = this.#chunks || this.#bodyLeft > 0 ? this.#endOfBodyPart() : this.#endOfHeadPart();
    const piece = this.#held.subarray(0, end);
    this.#held = this.#held.subarray(end);
    this.bytesPassed += piece.length;
    return piece;
  }

  #endOfBodyPart(): number {
    this.#tail = NOTHING;
    if (!this.#chunks) {
      const end = Math.min(this.#bodyLeft, this.#held.length);
      this.#bodyLeft -= end;
      return end;
    }
    const end = this.#chunks.take(this.#held);
    if (this.#chunks.isOver) this.#chunks = null;
    return end;
  }

  #endOfHeadPart(): number {
    const end = endOfHead(this.#tail, this.#held);
    const ending = Buffer.concat([this.#tail, this.#held.subarray(0, end).subarray(-4)]).subarray(-4);
    this.#tail = ending.subarray(-3);
    this.#emptyEnds = ending.equals(BLANK_LINE) ? this.#emptyEnds + 1 : 0;
    return end;
  }

  override _read(): void {
    // Not now: what is pushed during a read is not passed on at once.
    process.nextTick(() => this.#passOn());
  }

  override _write(chunk: Buffer | string, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, encoding, done);
  }

  override _writev(
    chunks: { chunk: Buffer | string; encoding: BufferEncoding }[],
    done: (error?: Error | null) => void,
  ): void {
    this.#socket.cork();
    chunks.forEach(({ chunk, encoding }, at) => {
      this.#socket.write(chunk, encoding, at === chunks.length - 1 ? done : undefined);
    });
    this.#socket.uncork();
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#held = NOTHING;
    this.#socket.destroy();
    done(error);
  }
}

/** Past the first blank line; all of the bytes when there is none. */
function endOfHead(before: Buffer, bytes: Buffer): number {
  const seam = Buffer.concat([before, bytes.subarray(0, 3)]).indexOf(BLANK_LINE);
  if (seam >= 0) return seam + BLANK_LINE.length - before.length;
  const at = bytes.indexOf(BLANK_LINE);
  return at < 0 ? bytes.length : at + BLANK_LINE.length;
}

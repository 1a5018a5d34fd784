import type { Socket } from 'node:net';
import { AS_TEXT_BYTES } from './answer-buffers.ts';
import type { ExchangeClient } from './exchange-client.ts';
import { TUNNEL_SILENCE_LIMIT_MS } from './limits.ts';
import type { Stay } from './stay.ts';
import { GOING_AWAY, WebSocketFrames } from './web-socket-frames.ts';
import { writeBytes } from './write-bytes.ts';

export interface TunnelOptions {
  client: ExchangeClient;
  instance: Socket;
  stay: Stay;
  /** The protocol that the connection was upgraded to. */
  upgrade: string;
  /** The client was told that this is the end. */
  onLeft(): void;
}

/** After an upgrade: bytes both ways, as they are, for as long as there are any. */
export class Tunnel {
  readonly #options: TunnelOptions;
  readonly #frames: WebSocketFrames | null;
  #isLeaving = false;

  constructor(options: TunnelOptions) {
    this.#options = options;
    this.#frames = options.upgrade.toLowerCase() === 'websocket' ? new WebSocketFrames() : null;
    options.client.limit(TUNNEL_SILENCE_LIMIT_MS);
  }

  /** Bytes of the client, which are the tunnel's only until this returns. */
  fromClient(bytes: Buffer): void {
    const { client, instance, stay } = this.#options;
    const { socket } = client;
    client.limit(TUNNEL_SILENCE_LIMIT_MS);
    stay.bytesIn += bytes.length;
    if (bytes.length > 0) writeBytes(instance, '', bytes.length > AS_TEXT_BYTES ? Buffer.from(bytes) : bytes);
    if (!instance.writableNeedDrain) return;
    socket.pause();
    instance.once('drain', () => socket.resume());
  }

  /** False: the client has not taken everything yet. */
  fromInstance(bytes: Buffer): boolean {
    const { client, stay } = this.#options;
    const { socket } = client;
    client.limit(TUNNEL_SILENCE_LIMIT_MS);
    const end = this.#frames?.follow(bytes, this.#isLeaving) ?? bytes.length;
    stay.bytesOut += end;
    writeBytes(socket, '', end === bytes.length ? bytes : bytes.subarray(0, end));
    if (this.#isLeaving) this.#leaveBetweenFrames();
    return socket.writableLength === 0;
  }

  onClientEnd(): void {
    this.#options.instance.end();
  }

  onInstanceEnd(): void {
    this.#options.client.socket.end();
  }

  /**
   * The instance goes away. Who speaks WebSocket is told so where a frame ends, and comes again elsewhere;
   * for other protocols we know no words: those connections last until the instance ends.
   */
  leave(): void {
    if (this.#frames === null) return;
    this.#isLeaving = true;
    this.#leaveBetweenFrames();
  }

  /** The client may not go on. */
  shutOut(): void {
    if (this.#frames === null) this.#options.onLeft();
    else this.leave();
  }

  #leaveBetweenFrames(): void {
    if (!this.#frames?.isBetween) return;
    this.#isLeaving = false;
    this.#options.client.socket.write(GOING_AWAY);
    this.#options.onLeft();
  }
}

import type { ExchangeClient } from './exchange-client.ts';
import { STREAM_SILENCE_LIMIT_MS } from './limits.ts';
import type { Stay } from './stay.ts';
import { writeBytes } from './write-bytes.ts';

/** An answer on its way to the client. It is used again for every answer of a client's connection. */
export class AnswerSide {
  readonly #client: ExchangeClient;
  readonly #stay: Stay;
  /** The head, which goes out with the first bytes of the body. */
  #unsent = '';
  /** Its end was that of the connection; to the client, chunks say where it is. */
  #isRechunked = false;

  constructor(client: ExchangeClient, stay: Stay) {
    this.#client = client;
    this.#stay = stay;
  }

  begin(headText: string, isRechunked: boolean): void {
    this.#unsent = headText;
    this.#isRechunked = isRechunked;
    this.#stay.bytesOut = headText.length;
    this.#client.limit(STREAM_SILENCE_LIMIT_MS);
  }

  /** False: the client has not taken everything yet. */
  write(bytes: Buffer): boolean {
    const { socket } = this.#client;
    if (this.#isRechunked) this.#writeChunk(bytes);
    else writeBytes(socket, this.#unsent, bytes);
    this.#unsent = '';
    this.#stay.bytesOut += bytes.length;
    this.#client.limit(STREAM_SILENCE_LIMIT_MS);
    return socket.writableLength === 0;
  }

  flush(): void {
    if (this.#unsent !== '') this.#client.socket.write(this.#unsent, 'latin1');
    this.#unsent = '';
  }

  end(): void {
    if (this.#isRechunked) this.#unsent += '0\r\n\r\n';
    this.flush();
  }

  #writeChunk(bytes: Buffer): void {
    const { socket } = this.#client;
    socket.cork();
    writeBytes(socket, `${this.#unsent}${bytes.length.toString(16)}\r\n`, bytes);
    socket.write('\r\n', 'latin1');
    socket.uncork();
  }
}

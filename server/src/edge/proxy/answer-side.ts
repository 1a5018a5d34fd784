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

  constructor(client: ExchangeClient, stay: Stay) {
    this.#client = client;
    this.#stay = stay;
  }

  begin(headText: string): void {
    this.#unsent = headText;
    this.#stay.bytesOut = headText.length;
    this.#client.limit(STREAM_SILENCE_LIMIT_MS);
  }

  /** False: the client has not taken everything yet. */
  write(bytes: Buffer): boolean {
    const { socket } = this.#client;
    writeBytes(socket, this.#unsent, bytes);
    this.#unsent = '';
    this.#stay.bytesOut += bytes.length;
    this.#client.limit(STREAM_SILENCE_LIMIT_MS);
    return socket.writableLength === 0;
  }

  flush(): void {
    if (this.#unsent !== '') this.#client.socket.write(this.#unsent, 'latin1');
    this.#unsent = '';
  }
}

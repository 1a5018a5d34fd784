import type { Socket } from 'node:net';
import { forwardedLines, type ClientDescription, type Way } from './client-description.ts';
import type { Front } from './front.ts';
import type { RequestHead } from './request-head.ts';

/** What is known of a client from one request to the next: most ask for one host, and speak for themselves. */
export class KnownClient {
  /** The host that was asked for last. */
  host = '';
  /** Browsers are to come there by https only. */
  isStrict = false;
  /** Who asks for it is to come by another connection. */
  isMisdirected = false;
  readonly #front: Front;
  readonly #socket: Socket;
  readonly #way: Way;
  /** Where it is the same with every request. */
  #description: ClientDescription | null = null;

  constructor(front: Front, socket: Socket, way: Way) {
    this.#front = front;
    this.#socket = socket;
    this.#way = way;
  }

  forwardedLines(head: RequestHead): string {
    if (this.#description !== null) return forwardedLines(this.#description, head.host);
    const description = this.#front.describeClient(this.#socket, head, this.#way);
    if (description.isFixed) this.#description = description;
    return forwardedLines(description, head.host);
  }

  turnTo(host: string): void {
    this.host = host;
    if (this.#way !== 'https') return;
    const { isStrict, isMisdirected } = this.#front.options;
    this.isStrict = isStrict?.(host) === true;
    this.isMisdirected = isMisdirected?.(this.#socket, host) === true;
  }
}

import { clientOf } from '../../../lib/rate-limit.ts';

/**
 * All streams of an edge: each may have a file open, or a connection, as every other connection may. A client may have
 * as many as are still free for others: alone it gets half of them, and however many take what they can, each
 * newcomer gets as much as they have.
 */
export class StreamShares {
  readonly limit: number;
  #open = 0;
  readonly #byClient = new Map<string, number>();

  constructor(limit: number) {
    this.limit = limit;
  }

  get open(): number {
    return this.#open;
  }

  /** Null: it has its share. What is returned is to be called once, when the stream is over. */
  take(address: string): (() => void) | null {
    const client = clientOf(address);
    const held = this.#byClient.get(client) ?? 0;
    if (held >= this.limit - this.#open) return null;
    this.#open++;
    this.#byClient.set(client, held + 1);
    return () => this.#giveBack(client);
  }

  #giveBack(client: string): void {
    this.#open--;
    const held = this.#byClient.get(client)! - 1;
    if (held === 0) this.#byClient.delete(client);
    else this.#byClient.set(client, held);
  }
}

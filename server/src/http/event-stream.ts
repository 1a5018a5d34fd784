import { Readable } from 'node:stream';

/**
 * What a stream says next: an event, or only how far it is. Whoever comes back names the last id it got,
 * so a place without an event saves them what they need not see again.
 */
export type StreamItem = { id: string; event: string; data: unknown } | { id: string; event?: undefined };

export interface EventStreamOptions {
  /** What is there at the same moment is written at once. */
  batches: AsyncIterator<readonly StreamItem[]>;
  /** As JSON, with nothing in it that was not declared. */
  writeData: (event: string, data: unknown) => string;
  /** Aborted as soon as nobody reads any more. */
  whoReads: AbortController;
  pingMs: number;
  /** How long a client that lost the connection waits before it comes back. */
  retryMs: number;
  onError: (error: unknown) => void;
}

const PING = ': ping\n\n';

/** Server-sent events, as text. The next ones are taken only when there is room for them. */
export class EventStream extends Readable {
  readonly #options: EventStreamOptions;
  readonly #pings: NodeJS.Timeout;
  #isTaking = false;
  #isOver = false;

  constructor(options: EventStreamOptions) {
    // Nothing is taken ahead of what the socket has room for.
    super({ highWaterMark: 0, encoding: 'utf8' });
    this.#options = options;
    this.#pings = setInterval(() => this.#ping(), options.pingMs);
    this.push(`retry: ${options.retryMs}\n\n`);
  }

  /** Ends it now: in good order where the client has taken all there was, else by breaking off. */
  finish(): void {
    if (this.#isOver || this.destroyed) return;
    if (this.readableLength > 0 || this.readableFlowing === false) return void this.destroy();
    this.#end();
  }

  override _read(): void {
    if (this.#isTaking || this.#isOver) return;
    this.#isTaking = true;
    this.#take().catch((error: unknown) => {
      if (this.#isOver || this.destroyed) return;
      this.#options.onError(error);
      this.finish();
    });
  }

  async #take(): Promise<void> {
    for (;;) {
      const { done, value } = await this.#options.batches.next();
      if (this.#isOver || this.destroyed) return;
      if (done) return this.#end();
      const text = this.#write(value);
      if (text === '') continue;
      this.#isTaking = false;
      this.push(text);
      return;
    }
  }

  #write(items: readonly StreamItem[]): string {
    let text = '';
    for (const item of items) {
      text += `id: ${item.id}\n`;
      if (item.event !== undefined) {
        text += `event: ${item.event}\ndata: ${this.#options.writeData(item.event, item.data)}\n`;
      }
      text += '\n';
    }
    return text;
  }

  /** So that nobody in between takes a silence for the end. Who has yet to read what is there needs none. */
  #ping(): void {
    const isWaitedFor = this.readableLength === 0 && this.readableFlowing !== false;
    if (isWaitedFor && !this.#isOver) this.push(PING);
  }

  #end(): void {
    this.#isOver = true;
    this.push(null);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#isOver = true;
    clearInterval(this.#pings);
    this.#options.whoReads.abort();
    void this.#giveBack();
    done(error);
  }

  /** What the source holds. That it was told to stop is no failure. */
  async #giveBack(): Promise<void> {
    try {
      await this.#options.batches.return?.();
    } catch {
      // Nobody is there to be told.
    }
  }
}

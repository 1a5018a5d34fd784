import { EventParser, type ParsedEvent } from './event-parser.ts';

/** Who reads a stream. While nobody does no connection is held: browsers have few of them for one host. */
export interface StreamReader {
  /** Resolves when somebody reads, at once where somebody does; also when the signal aborts. */
  present: (signal: AbortSignal | undefined) => Promise<void>;
  /** Aborts when nobody reads any more. A new one for every time that somebody does. */
  leaving: () => AbortSignal;
}

export interface FollowOptions {
  /** Asks for the stream after the given event; throws where it is refused. */
  open: (lastEventId: string, signal: AbortSignal) => Promise<Response>;
  /** Whether a failure may pass. Only asked once the stream has been open: until then any failure is told. */
  mayPass: (error: unknown) => boolean;
  signal?: AbortSignal | undefined;
  /** Told when a connection is there, and when it failed. One that ended as streams do is made anew without a word. */
  onConnection?: ((isThere: boolean) => void) | undefined;
  /** Without one, somebody reads all the time. */
  reader?: StreamReader | undefined;
  /** Where to go on; empty for the beginning. */
  lastEventId?: string;
  /** A connection on which nothing comes for so long is dead. The platform pings every 15 seconds. */
  silenceMs?: number;
}

const SILENCE_MS = 50_000;
/** Until the stream says otherwise. */
const RETRY_MS = 1000;
const MAX_RETRY_MS = 30_000;

/** Every event once, in order, over as many connections as it takes; ends when it is aborted. */
export async function* followStream(options: FollowOptions): AsyncGenerator<ParsedEvent, void, undefined> {
  const { mayPass, signal, reader, lastEventId = '', silenceMs = SILENCE_MS } = options;
  const place = { lastEventId, retryMs: RETRY_MS };
  let failures = 0;
  let hasBeenOpen = false;
  for (;;) {
    await reader?.present(signal);
    if (signal?.aborted) return;
    const left = reader?.leaving();
    const connection = new Connection([signal, left], silenceMs);
    try {
      const response = await options.open(place.lastEventId, connection.signal);
      hasBeenOpen = true;
      options.onConnection?.(true);
      for await (const events of readEvents(response, connection, place)) {
        failures = 0;
        yield* events;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (left?.aborted) continue;
      if (!hasBeenOpen) throw connection.isSilent ? unanswered(silenceMs) : error;
      if (!connection.isSilent && !mayPass(error)) throw error;
      failures++;
      options.onConnection?.(false);
    } finally {
      connection.close();
    }
    await pause(Math.min(place.retryMs * 2 ** Math.max(0, failures - 1), MAX_RETRY_MS), signal);
  }
}

/** As `fetch` tells that nobody is there. */
function unanswered(silenceMs: number): TypeError {
  return new TypeError('fetch failed', { cause: new Error(`no answer in ${silenceMs / 1000} seconds`) });
}

/** What a stream has told so far about where it is. */
interface Place {
  lastEventId: string;
  retryMs: number;
}

async function* readEvents(response: Response, connection: Connection, place: Place): AsyncGenerator<ParsedEvent[]> {
  const parser = new EventParser(place.lastEventId);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    connection.hear();
    const events = parser.push(value);
    // What was handed out is not asked for again, though the reader may not have looked at it yet.
    place.lastEventId = parser.lastEventId;
    place.retryMs = parser.retryMs ?? place.retryMs;
    yield events;
  }
}

/** One connection: ended by whoever follows, when nobody reads, or because nothing comes any more. */
class Connection {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal[];
  readonly #silenceMs: number;
  readonly #abort = () => this.#controller.abort();
  #timer: ReturnType<typeof setTimeout> | undefined;
  isSilent = false;

  constructor(outer: (AbortSignal | undefined)[], silenceMs: number) {
    this.#outer = outer.filter((signal) => signal !== undefined);
    this.#silenceMs = silenceMs;
    for (const signal of this.#outer) signal.addEventListener('abort', this.#abort);
    this.hear();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  hear(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.isSilent = true;
      this.#abort();
    }, this.#silenceMs);
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const signal of this.#outer) signal.removeEventListener('abort', this.#abort);
    this.#abort();
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
}

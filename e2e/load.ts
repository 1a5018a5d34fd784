import { Agent, request, type ClientRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

export interface LoadOptions {
  url: string;
  path?: string;
  /** Where there is one it is POSTed, and nobody asks again once it was sent: it may have done what it says. */
  body?: string;
  connections: number;
  /** Between two requests of one connection. */
  pauseMs?: number;
  isRight: (answer: { status: number; body: string; startedAt: number }) => boolean;
  /** Told of each failure as it happens, for who wants to know when it was. */
  onFailure?: (failure: Failure) => void;
  /** Told when connecting was refused, before it is tried once more: it may be that nobody was to be refused then. */
  onRefused?: (refusal: Failure) => void;
  /** Likewise when a kept connection was closed under a request, which nobody who serves on does (see the agent). */
  onClosed?: (closing: Failure) => void;
}

export interface Failure {
  message: string;
  /** As `performance.now()` has it. */
  startedAt: number;
  endedAt: number;
}

/** What a load came to. */
export interface Tally {
  requests: number;
  /** Connecting was refused, and tried once more. */
  refused: number;
  /**
   * A connection that had served before was closed under a request, without a byte of an answer: asked once more (RFC
   * 9112, 9.3.1).
   */
  closed: number;
  failures: string[];
}

export interface Load {
  tally: Tally;
  /** What is not answered by then is broken off, as by somebody who loads a page again; it counts like any other. */
  stop(): Promise<Tally>;
}

const ANSWER_WITHIN_MS = 40_000;

/**
 * A constant load over kept connections, by clients that do what HTTP clients do: ask again where nothing was answered.
 */
export function startLoad(options: LoadOptions): Load {
  const { url, path = '/', body, connections, pauseMs = 0, isRight, ...told } = options;
  // Each is used in turn, so that none is left idle until whoever serves it closes it just when a request comes.
  const agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: 'fifo' });
  const tally: Tally = { requests: 0, refused: 0, closed: 0, failures: [] };
  const stopping = new AbortController();

  async function client(): Promise<void> {
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      const message = await visit(startedAt).catch((error: Error) => error.message);
      if (message !== null) {
        tally.failures.push(message);
        told.onFailure?.({ message, startedAt, endedAt: performance.now() });
      }
      tally.requests++;
      if (pauseMs > 0) await delay(pauseMs);
    }
  }

  /** Null where all is well. */
  async function visit(startedAt: number): Promise<string | null> {
    const answer = await ask(agent, { url, path, body }).catch((error: AskError) => {
      const happened = { message: error.message, startedAt, endedAt: performance.now() };
      if (error.code === 'ECONNREFUSED') {
        tally.refused++;
        told.onRefused?.(happened);
      } else if (body === undefined && error.isReused && error.code === 'ECONNRESET') {
        tally.closed++;
        told.onClosed?.(happened);
      } else throw error;
      // Another kept connection may have ended with this one.
      return ask(false, { url, path, body });
    });
    return isRight({ ...answer, startedAt }) ? null : `${answer.status} ${answer.body.slice(0, 120)}`;
  }

  const clients = Array.from({ length: connections }, client);
  return {
    tally,
    async stop() {
      stopping.abort();
      const timer = setTimeout(() => agent.destroy(), ANSWER_WITHIN_MS);
      await Promise.all(clients);
      clearTimeout(timer);
      agent.destroy();
      return tally;
    },
  };
}

interface AskError extends NodeJS.ErrnoException {
  isReused?: boolean;
}

interface Asked {
  url: string;
  path: string;
  body: string | undefined;
}

async function ask(agent: Agent | false, { url, path, body }: Asked): Promise<{ status: number; body: string }> {
  const { host, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const asked: ClientRequest = request({
      host: '127.0.0.1',
      port,
      method: body === undefined ? 'GET' : 'POST',
      path,
      headers: { host },
      agent,
      timeout: ANSWER_WITHIN_MS,
    });
    asked.once('response', (answer) => {
      text(answer).then((answered) => resolve({ status: answer.statusCode ?? 0, body: answered }), reject);
    });
    asked.once('timeout', () => asked.destroy(new Error('no answer within 40 s')));
    asked.once('error', (error: AskError) => reject(Object.assign(error, { isReused: asked.reusedSocket })));
    asked.end(body);
  });
}

/** One line for people. */
export function describeTally({ requests, refused, closed, failures }: Tally): string {
  return `${requests} requests, ${failures.length} failed; asked once more: ${refused} refused, ${closed} closed under the request`;
}

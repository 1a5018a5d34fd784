import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Config } from '../config.ts';
import type { Log } from '../lib/log.ts';
import { answerError, rawAnswer } from './answer.ts';
import { clientAddress, plainAddress, trustedProxies } from './client-address.ts';
import type { ForwardedFor } from './headers.ts';
import { createProxy } from './proxy.ts';
import { readTarget } from './request-target.ts';
import { createRouter } from './router.ts';

export interface EdgeOptions {
  config: Pick<Config, 'publicUrl' | 'appsDomain' | 'trustedProxies'>;
  apiSocket: string;
  log: Log;
  /** How long a request waits for an api that restarts. */
  holdMs?: number;
}

export interface Edge {
  server: Server;
  /** Takes nobody new, finishes what is under way up to the given time. */
  stop(drainMs: number): Promise<void>;
}

const LIMITS = {
  maxHeaderSize: 16_384,
  headersTimeout: 15_000,
  requestTimeout: 300_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5000,
} as const;
/** A connection on which nothing moves for this long is closed. */
const IDLE_LIMIT_MS = 120_000;
/** How long idle connections stay open when stopping, to be told so with their next answer. */
const IDLE_GRACE_MS = 300;
const RETRY_AFTER_SECONDS = 5;

/** The public side of the platform: routes by host, and says who the client is. */
export function createEdge({ config, apiSocket, log, holdMs = 10_000 }: EdgeOptions): Edge {
  const routeOf = createRouter({ platformHost: config.publicUrl.host, appsDomain: config.appsDomain });
  const isTrusted = trustedProxies(config.trustedProxies);
  const proxy = createProxy({ socketPath: apiSocket, holdMs });
  const server = createServer(LIMITS, (request, response) => {
    handle(request, response).catch((error: unknown) => {
      log.error({ err: error }, 'A request could not be handled');
      response.destroy();
    });
  });
  server.setTimeout(IDLE_LIMIT_MS);
  answerNonsense(server);

  let isStopping = false;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // The last answer on this connection says so, and the client goes elsewhere for the next.
    response.shouldKeepAlive &&= !isStopping;
    const target = readTarget(request);
    if (!target) return answerError(request, response, { code: 'VA001', title: 'This request is not understood' });
    const route = routeOf(target.host);
    if (route.kind === 'app') return answerError(request, response, noSuchApp);
    if (route.kind === 'unknown') return answerError(request, response, unknownHost);
    const client = describeClient(request, target.host ?? '');
    const outcome = await proxy.forward({ request, response, path: target.path, client });
    if (outcome === 'unreachable') answerError(request, response, apiUnavailable);
    if (outcome === 'broken') answerError(request, response, apiBroke);
  }

  function describeClient(request: IncomingMessage, host: string): ForwardedFor {
    const peer = plainAddress(request.socket.remoteAddress ?? '');
    const { 'x-forwarded-for': reported, 'x-forwarded-proto': protocol } = request.headers;
    return {
      address: clientAddress(peer, reported?.toString(), isTrusted),
      protocol: isTrusted(peer) && protocol === 'https' ? 'https' : 'http',
      host,
    };
  }

  async function stop(drainMs: number): Promise<void> {
    isStopping = true;
    await drain(server, drainMs);
    proxy.close();
  }

  return { server, stop };
}

const noSuchApp = {
  code: 'NF001',
  title: 'Nothing is here',
  message: 'No application lives at this address.',
} as const;
const unknownHost = {
  code: 'NF001',
  title: 'Nothing is here',
  message: 'This address is not known here. If you run this platform, set LILAC_PUBLIC_URL to the address you use.',
} as const;
const apiUnavailable = { code: 'SV002', title: 'Back in a moment', retryAfterSeconds: RETRY_AFTER_SECONDS } as const;
const apiBroke = { code: 'SV003', title: 'The connection broke' } as const;

/** What is not HTTP gets an answer too, unless another one is on its way on the same connection. */
function answerNonsense(server: Server): void {
  const answering = new WeakSet<Duplex>();
  server.on('request', (request, response) => {
    answering.add(request.socket);
    response.once('close', () => answering.delete(request.socket));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable || answering.has(socket)) return socket.destroy();
    if (error.code === 'HPE_HEADER_OVERFLOW') return socket.end(rawAnswer(431, 'The headers are larger than 16 KiB.'));
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return socket.end(rawAnswer(408, 'The request took too long.'));
    return socket.end(rawAnswer(400, 'This is not a valid HTTP request.'));
  });
  server.on('connect', (_request, socket) => socket.end(rawAnswer(405, 'This is not a proxy for other hosts.')));
}

function drain(server: Server, drainMs: number): Promise<void> {
  return new Promise((resolve) => {
    // A connection closed at the moment its client sends the next request would lose that request.
    const graceMs = Math.min(IDLE_GRACE_MS, drainMs / 2);
    let tidy: NodeJS.Timeout | undefined;
    const endGrace = setTimeout(() => (tidy = setInterval(() => server.closeIdleConnections(), 20)), graceMs);
    const giveUp = setTimeout(() => server.closeAllConnections(), drainMs);
    // Unlike an HTTP server's own close, this leaves idle connections open.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(endGrace);
      clearInterval(tidy);
      clearTimeout(giveUp);
      resolve();
    });
  });
}

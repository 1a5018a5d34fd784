import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { Config } from '../config.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { createAnswers, type EdgeError } from './answer.ts';
import { answerBrokenRequests } from './broken-request.ts';
import { clientAddress, plainAddress, trustedProxies } from './client-address.ts';
import { isWellFramed } from './framing.ts';
import type { ForwardedFor } from './headers.ts';
import { createProxy } from './proxy.ts';
import { readTarget } from './request-target.ts';
import { createRouter } from './router.ts';

export interface EdgeOptions {
  config: Pick<Config, 'publicUrl' | 'appsDomain' | 'trustedProxies' | 'rateLimit'>;
  apiSocket: string;
  clock: Clock;
  log: Log;
  /** How long a request waits for an api that restarts. */
  holdMs?: number;
}

export interface Edge {
  server: Server;
  /** Takes nobody new, finishes what is under way up to the given time. */
  stop(drainMs: number): Promise<void>;
}

const SERVER_OPTIONS = {
  maxHeaderSize: 16_384,
  headersTimeout: 15_000,
  requestTimeout: 300_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5000,
  // Node would refuse a request without one before anybody sees it, and say nothing in its answer.
  requireHostHeader: false,
} as const;
/** A connection on which nothing moves for this long is closed. */
const IDLE_LIMIT_MS = 120_000;
/** How long idle connections stay open when stopping, to be told so with their next answer. */
const IDLE_GRACE_MS = 300;
const RETRY_AFTER_SECONDS = 5;

/** The public side of the platform: routes by host, and says who the client is. */
export function createEdge({ config, apiSocket, clock, log, holdMs = 10_000 }: EdgeOptions): Edge {
  const routeOf = createRouter({ platformHost: config.publicUrl.host, appsDomain: config.appsDomain });
  const isTrusted = trustedProxies(config.trustedProxies);
  const proxy = createProxy({ socketPath: apiSocket, holdMs });
  const answers = createAnswers({ limit: config.rateLimit, clock, addressOf });
  const server = createServer(SERVER_OPTIONS);
  server.setTimeout(IDLE_LIMIT_MS);
  answerBrokenRequests(server, answers);
  server.on('request', serve).on('checkContinue', serve);
  server.on('checkExpectation', (request, response) => refuse(request, response, unknownExpectation));

  let isStopping = false;

  function serve(request: IncomingMessage, response: ServerResponse): void {
    handle(request, response).catch((error: unknown) => {
      log.error({ err: error }, 'A request could not be handled');
      response.destroy();
    });
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // The last answer on this connection says so, and the client goes elsewhere for the next.
    response.shouldKeepAlive &&= !isStopping;
    const target = readTarget(request);
    if (!target || !isWellFramed(request)) return refuse(request, response, notUnderstood);
    const route = routeOf(target.host);
    if (route.kind === 'app') return answers.give(request, response, noSuchApp);
    if (route.kind === 'unknown') return answers.give(request, response, unknownHost);
    const client = describeClient(request, target.host ?? '');
    const outcome = await proxy.forward({ request, response, path: target.path, client });
    if (response.headersSent) return;
    if (outcome === 'unreachable') answers.give(request, response, apiUnavailable);
    if (outcome === 'broken') answers.give(request, response, apiBroke);
  }

  /** Where the body ends, or whether it comes at all, is not certain: so the connection ends here. */
  function refuse(request: IncomingMessage, response: ServerResponse, error: EdgeError): void {
    response.shouldKeepAlive = false;
    answers.give(request, response, error);
  }

  function describeClient(request: IncomingMessage, host: string): ForwardedFor {
    const peer = plainAddress(request.socket.remoteAddress ?? '');
    const protocol = request.headers['x-forwarded-proto'];
    return {
      address: addressOf(request),
      protocol: isTrusted(peer) && protocol === 'https' ? 'https' : 'http',
      host,
    };
  }

  function addressOf({ socket, headers }: IncomingMessage): string {
    return clientAddress(socket.remoteAddress ?? '', headers['x-forwarded-for']?.toString(), isTrusted);
  }

  async function stop(drainMs: number): Promise<void> {
    isStopping = true;
    await drain(server, drainMs);
    proxy.close();
  }

  return { server, stop };
}

const notUnderstood = {
  code: 'VA001',
  title: 'This request is not understood',
  message: 'This is not a valid HTTP request: look at its target, its Host and its Transfer-Encoding.',
} as const;
const unknownExpectation = { code: 'MT003', title: 'This is not understood' } as const;
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
const apiBroke = { code: 'SV003', title: 'The connection broke', mayHaveHadEffect: true } as const;

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

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import type { Config } from '../config.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { AccessLog } from './access-log/access-log.ts';
import { isDomainKey } from './address-key.ts';
import { createAnswers, type EdgeError } from './answer.ts';
import { createAppAnswers, unavailable } from './app-answers.ts';
import { answerBrokenRequests, limitRequestTime, unknownExpectation } from './broken-request.ts';
import { clientAddress, plainAddress, trustedProxies } from './client-address.ts';
import { connectionLimit } from './connection-limit.ts';
import { drain } from './drain.ts';
import { hasBody, isWellFramed } from './framing.ts';
import { Front } from './front/front.ts';
import { KEEP_ALIVE_SECONDS } from './front/limits.ts';
import type { ForwardedFor } from './headers.ts';
import { Gates } from './instances/gates.ts';
import { openInnerSocket } from './instances/inner-socket.ts';
import { nameHost, tunnelInside } from './instances/way-inside.ts';
import { answerUnlock } from './lock/answer-unlock.ts';
import { createUnlockCaller } from './lock/call-unlock.ts';
import { OneByOne } from './one-by-one.ts';
import { brokenAnswer, noSuchApp } from './pages/app-errors.ts';
import { createProxy } from './api-proxy.ts';
import { readTarget, type RequestTarget } from './request-target.ts';
import { createRouter } from './router.ts';
import type { RouteTable } from './routes/route-table.ts';
import { BlobLibrary } from './static/blob-library.ts';
import type { SiteLibrary } from './static/site-library.ts';
import { errorAnswer } from './static/static-answer.ts';
import { staticRequestOf, writeResponse } from './static/write-response.ts';
import { countHttp } from './traffic/count-http.ts';
import { Traffic } from './traffic/traffic.ts';

export interface EdgeOptions {
  config: Pick<Config, 'publicUrl' | 'appsDomain' | 'trustedProxies' | 'rateLimit'>;
  paths: { apiSocket: string; objectsSocket: string; objects: string; edgeSockets: string };
  /** Which of the edge processes of this machine it is. */
  place?: string | number;
  routes: RouteTable;
  sites: SiteLibrary;
  /** Left out, nobody is told what they ask for. */
  gates?: Gates;
  /** Left out, nobody reads what it counts. */
  traffic?: Traffic;
  /** Left out, no request is written down. */
  accessLog?: AccessLog;
  clock: Clock;
  log: Log;
  /** How long a request waits for an api that restarts. */
  holdMs?: number;
  /** What small files may take in memory. */
  cacheBytes?: number;
  /** How many connections it takes at once. */
  maxConnections?: number;
}

export interface Edge {
  server: Server;
  /** Takes nobody new, finishes what is under way up to the given time. */
  stop(drainMs: number): Promise<void>;
}

const SERVER_OPTIONS = {
  maxHeaderSize: 16_384,
  headersTimeout: 15_000,
  // Limited per request: an upload may take as long as bytes come.
  requestTimeout: 0,
  keepAliveTimeout: KEEP_ALIVE_SECONDS * 1000,
  connectionsCheckingInterval: 5000,
  // Node would refuse a request without one before anybody sees it, and say nothing in its answer.
  requireHostHeader: false,
} as const;
/** A request to the api is here within this time. */
const REQUEST_LIMIT_MS = 300_000;
/** A connection on which nothing moves for this long is closed. */
const IDLE_LIMIT_MS = 120_000;
const RETRY_AFTER_SECONDS = 5;

/** The public side of the platform: routes by host, serves applications, and says who the client is. */
export function createEdge(options: EdgeOptions): Edge {
  const { config, paths, routes, sites, clock, log, holdMs = 10_000, cacheBytes } = options;
  const { maxConnections = connectionLimit(), gates = new Gates({ routes }), place = 1 } = options;
  const { traffic = new Traffic(), accessLog = null } = options;
  const innerPath = join(paths.edgeSockets, `${place}.sock`);
  const routeOf = createRouter({ platformHost: config.publicUrl.host, appsDomain: config.appsDomain });
  const isTrusted = trustedProxies(config.trustedProxies);
  const apiProxy = createProxy({ socketPath: paths.apiSocket, holdMs });
  const objectsProxy = createProxy({ socketPath: paths.objectsSocket, holdMs });
  const innerProxy = createProxy({ socketPath: innerPath, holdMs });
  const answers = createAnswers({ limit: config.rateLimit, clock, addressOf });
  const appAnswers = createAppAnswers({ routes, sites, gates, traffic, accessLog, clock, log });
  const callUnlock = createUnlockCaller({ apiSocket: paths.apiSocket, host: config.publicUrl.host, holdMs });
  const blobs = new BlobLibrary({ root: paths.objects, ...(cacheBytes !== undefined && { cacheBytes }) });
  const server = createServer({ ...SERVER_OPTIONS, shouldUpgradeCallback: (request) => tunnelOf(request) !== null });
  server.maxConnections = maxConnections;
  server.setTimeout(IDLE_LIMIT_MS);
  noteRequests(server);
  answerBrokenRequests(server, answers);
  server.on('request', serve).on('checkContinue', serve);
  server.on('checkExpectation', (request, response) => refuse(request, response, unknownExpectation));
  server.on('upgrade', openTunnel);
  const front = new Front({
    server,
    appOf: (host) => {
      const route = routeOf(host);
      return route.kind === 'app' ? route.name : null;
    },
    answers: appAnswers,
    blobs,
    handOver: takeConnections(server, (socket) => front.take(socket)),
    describeClient: (socket, head) => {
      const peer = plainAddress(socket.remoteAddress ?? '');
      const isProxy = isTrusted(peer);
      return {
        address: clientAddress(peer, head.forwardedFor, isTrusted),
        protocol: isProxy && head.forwardedProto === 'https' ? 'https' : 'http',
        isFixed: !isProxy,
      };
    },
    refuse: (socket, error) => answers.giveRaw(socket, error),
    log,
  });
  const innerServer = openInnerSocket(innerPath, (socket) => front.take(socket, { isFromEdge: true }));

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
    if (route.kind === 'app') return serveApp({ request, response }, route.name, target);
    if (route.kind === 'unknown') return answers.give(request, response, unknownHost);
    return passOn(request, response, target);
  }

  async function passOn(request: IncomingMessage, response: ServerResponse, target: RequestTarget): Promise<void> {
    const isObject = target.path.startsWith('/objects/');
    if (!isObject) limitRequestTime(server, request, REQUEST_LIMIT_MS);
    const client = describeClient(request, target.host ?? '');
    const proxy = isObject ? objectsProxy : apiProxy;
    const outcome = await proxy.forward({ request, response, path: target.path, client });
    if (response.headersSent) return;
    if (outcome === 'unreachable') answers.give(request, response, apiUnavailable);
    if (outcome === 'broken') answers.give(request, response, apiBroke);
  }

  /** What the front does not take, and what comes on a connection that it has handed over. */
  async function serveApp(exchange: HttpExchange, name: string, target: RequestTarget): Promise<void> {
    const { request, response } = exchange;
    const question = staticRequestOf(request, target.path);
    const planned = appAnswers(name, question);
    if (planned !== null && 'take' in planned) return passInside(exchange, target);
    countHttp(exchange, question);
    limitRequestTime(server, request, REQUEST_LIMIT_MS);
    if (planned === null) return answerNobody(exchange, name);
    try {
      await writeResponse(exchange, await planned, blobs);
    } catch (error) {
      log.error({ err: error }, 'A file of a release cannot be read');
      await writeResponse({ request, response }, errorAnswer(unavailable, question.accept), blobs);
    }
  }

  /** There is no such application, or it is one with a lock and this is the key. */
  async function answerNobody({ request, response }: HttpExchange, name: string): Promise<void> {
    const route = routes.find(name);
    if (!route) return answers.give(request, response, isDomainKey(name) ? unknownHost : noSuchApp);
    const { environmentId } = route;
    return answerUnlock({ request, response, environmentId, address: addressOf(request) }, callUnlock);
  }

  /** Instances are the front's: it gets the request from ourselves, by a way of its own. */
  async function passInside({ request, response }: HttpExchange, target: RequestTarget): Promise<void> {
    // It has come that way already, and the front did not take it.
    if (isFromInside(request)) return answers.give(request, response, notUnderstood);
    const client = describeClient(request, target.host ?? '');
    nameHost(request, client.host);
    const outcome = await innerProxy.forward({ request, response, path: target.path, client });
    if (response.headersSent) return;
    if (outcome === 'unreachable') answers.give(request, response, unavailable);
    if (outcome === 'broken') answers.give(request, response, brokenAnswer);
  }

  /** Where to, when the request asks for a tunnel to an instance; null for all else. */
  function tunnelOf(request: IncomingMessage): RequestTarget | null {
    const target = readTarget(request);
    const route = routeOf(target?.host);
    if (!target || route.kind !== 'app' || hasBody(request) || isFromInside(request)) return null;
    const planned = appAnswers(route.name, staticRequestOf(request, target.path));
    return planned !== null && 'take' in planned ? target : null;
  }

  function openTunnel(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const target = tunnelOf(request);
    if (!target) return void socket.destroy();
    const client = describeClient(request, target.host ?? '');
    nameHost(request, client.host);
    tunnelInside(innerPath, { request, socket, head, path: target.path, client });
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
    front.stop();
    await drain({ server, innerServer, front, drainMs });
    for (const proxy of [apiProxy, objectsProxy, innerProxy]) proxy.close();
    gates.close();
  }

  return { server, stop };
}

interface HttpExchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/** Only the inner socket has no address on its other end. */
function isFromInside({ socket }: IncomingMessage): boolean {
  return socket.remoteAddress === undefined;
}

/** Connections go to the front; what it hands over goes to the HTTP server's own listener. */
function takeConnections(server: Server, take: (socket: Socket) => void): (socket: Socket) => void {
  const listeners = server.listeners('connection') as ((connection: Duplex) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', take);
  return (socket) => {
    const connection = new OneByOne(socket);
    for (const listener of listeners) listener.call(server, connection);
  };
}

function noteRequests(server: Server): void {
  server.on('request', beginRequest).on('checkContinue', beginRequest).on('checkExpectation', beginRequest);
}

function beginRequest(request: IncomingMessage, response: ServerResponse): void {
  const connection: Duplex = request.socket;
  if (connection instanceof OneByOne) connection.begin(request, response);
}

const notUnderstood = {
  code: 'VA001',
  title: 'This request is not understood',
  message: 'This is not a valid HTTP request: look at its target, its Host and its Transfer-Encoding.',
} as const;
const unknownHost = {
  code: 'NF001',
  title: 'Nothing is here',
  message: 'This address is not known here. If you run this platform, set LILAC_PUBLIC_URL to the address you use.',
} as const;
const apiUnavailable = { code: 'SV002', title: 'Back in a moment', retryAfterSeconds: RETRY_AFTER_SECONDS } as const;
const apiBroke = { code: 'SV003', title: 'The connection broke', mayHaveHadEffect: true } as const;

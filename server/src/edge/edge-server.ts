import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import type { Server as TlsServer } from 'node:tls';
import type { Config } from '../config.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { AccessLog } from './access-log/access-log.ts';
import { createAnswers } from './answer.ts';
import { createAppAnswers } from './app-answers.ts';
import type { ApiDirectory } from './apis/api-directory.ts';
import { answerBrokenRequests, unknownExpectation } from './broken-request.ts';
import type { ObjectCache } from './cache/object-cache.ts';
import type { SecureNames } from './certificates/secure-names.ts';
import { trustedProxies } from './client-address.ts';
import { createIdentify, type ClientIdentity } from './client-identity.ts';
import { connectionLimit } from './connection-limit.ts';
import { drain } from './drain.ts';
import type { Way } from './front/client-description.ts';
import { Front } from './front/front.ts';
import { KEEP_ALIVE_SECONDS } from './front/limits.ts';
import { Gates } from './instances/gates.ts';
import { openInnerSocket } from './instances/inner-socket.ts';
import { createUnlockCaller } from './lock/call-unlock.ts';
import { OneByOne } from './one-by-one.ts';
import { openPassages } from './passages.ts';
import { createRequestServer, isFromInside, isSecure } from './request-server.ts';
import { createRouter } from './router.ts';
import type { RouteTable } from './routes/route-table.ts';
import { BlobLibrary } from './static/blob-library.ts';
import type { SiteLibrary } from './static/site-library.ts';
import { createIsStray } from './is-stray.ts';
import { createHttps } from './tls/create-https.ts';
import { createHttpsRules } from './tls/https-rules.ts';
import { Traffic } from './traffic/traffic.ts';

export interface EdgeOptions {
  config: Pick<Config, 'publicUrl' | 'appsDomain' | 'trustedProxies' | 'rateLimit' | 'tls'>;
  paths: { apiSocket: string; objectsSocket: string; objects: string; edgeSockets: string };
  /** Which of the edge processes of this machine it is. */
  place?: string | number;
  routes: RouteTable;
  sites: SiteLibrary;
  /** Left out, nobody is served by https. */
  https?: { names: SecureNames; port: number } | undefined;
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
  /** The apis of other hosts; left out, there are none. */
  elsewhere?: ApiDirectory | undefined;
  /** Where the objects are elsewhere: what brings them here. */
  objectCache?: ObjectCache | undefined;
  /** How many connections it takes at once. */
  maxConnections?: number;
}

export interface Edge {
  server: Server;
  /** Null: nobody is served by https. */
  tlsServer: TlsServer | null;
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
/** A connection on which nothing moves for this long is closed. */
const IDLE_LIMIT_MS = 120_000;

/** The public side of the platform: routes by host, serves applications, and says who the client is. */
export function createEdge(options: EdgeOptions): Edge {
  const { config, paths, routes, sites, https, clock, log, holdMs = 10_000 } = options;
  const { maxConnections = connectionLimit(), gates = new Gates({ routes }), place = 1 } = options;
  const { traffic = new Traffic(), accessLog = null } = options;
  const innerPath = join(paths.edgeSockets, `${place}.sock`);
  const routeOf = createRouter({ platformHost: config.publicUrl.host, appsDomain: config.appsDomain });
  const isTrusted = trustedProxies(config.trustedProxies);
  const identify = createIdentify(isTrusted);
  const sockets = { api: paths.apiSocket, objects: paths.objectsSocket, inside: innerPath };
  const passages = openPassages({ sockets, holdMs, elsewhere: options.elsewhere });
  const answers = createAnswers({ limit: config.rateLimit, clock, addressOf: (request) => describe(request).address });
  const appAnswers = createAppAnswers({ routes, sites, gates, traffic, accessLog, clock, log });
  const callUnlock = createUnlockCaller({
    apiSocket: paths.apiSocket,
    elsewhere: options.elsewhere,
    host: config.publicUrl.host,
    holdMs,
  });
  const blobs = new BlobLibrary({ root: paths.objects, cache: options.objectCache });
  const rules = https ? createHttpsRules({ config, isTrusted, ...https }) : null;
  const server = createServer({
    ...SERVER_OPTIONS,
    shouldUpgradeCallback: (request) => requests.tunnelOf(request) !== null,
  });
  const isStopping = () => front.isStopping;
  const shared = { routeOf, appAnswers, answers, passages, blobs, log };
  const own = { server, routes, innerPath, callUnlock, rules, describe, isStopping };
  const requests = createRequestServer({ ...shared, ...own });
  server.setTimeout(IDLE_LIMIT_MS);
  noteRequests(server);
  answerBrokenRequests(server, answers);
  server.on('request', requests.serve).on('checkContinue', requests.serve);
  server.on('checkExpectation', (request, response) => requests.refuse(request, response, unknownExpectation));
  server.on('upgrade', requests.openTunnel);
  const secure =
    https && rules ? createHttps({ ...shared, names: https.names, rules, identify, maxConnections }) : null;
  const front = new Front({
    servers: secure ? [server, secure.server] : [server],
    httpServer: server,
    maxConnections,
    appOf: (host) => {
      const route = routeOf(host);
      return route.kind === 'app' ? route.name : null;
    },
    isForHttps: rules?.isForHttps,
    isStrict: rules?.isStrict,
    isMisdirected: rules?.isMisdirected,
    strictLine: rules?.strictHeader ? `${rules.strictHeader.join(': ')}\r\n` : undefined,
    answers: appAnswers,
    blobs,
    handOver: takeConnections(server, (socket) => front.take(socket)),
    describeClient: ({ remoteAddress = '' }, { forwardedFor, forwardedProto }, isSecure) =>
      identify({ remoteAddress, isSecure, forwardedFor, forwardedProto }),
    refuse: (socket, error) => answers.giveRaw(socket, error),
    log,
  });
  secure?.serveBy(front);
  const isStray = createIsStray(routeOf, routes);
  routes.watchNames(() => {
    front.endStrays(isStray);
    requests.endStrays(isStray);
  });
  const innerServer = openInnerSocket(innerPath, (socket) => front.take(socket, 'inside'));

  function describe(request: IncomingMessage): ClientIdentity {
    const { socket, headers } = request;
    return identify({
      remoteAddress: isFromInside(request) ? null : (socket.remoteAddress ?? ''),
      isSecure: isSecure(request),
      forwardedFor: headers['x-forwarded-for']?.toString(),
      forwardedProto: headers['x-forwarded-proto']?.toString(),
    });
  }

  async function stop(drainMs: number): Promise<void> {
    front.stop();
    await drain({ server, secure, innerServer, front, drainMs });
    passages.close();
    gates.close();
  }

  return { server, tlsServer: secure?.server ?? null, stop };
}

/** Connections go to the front; what it hands over goes to the HTTP server's own listener. */
function takeConnections(server: Server, take: (socket: Socket) => void): (socket: Socket, way: Way) => void {
  const listeners = server.listeners('connection') as ((connection: Duplex) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', take);
  return (socket, way) => {
    const connection = new OneByOne(socket, way);
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

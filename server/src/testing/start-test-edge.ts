import { once } from 'node:events';
import { linkSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import {
  createServer,
  request as startRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { AccessLog } from '../edge/access-log/access-log.ts';
import type { ApiDirectory } from '../edge/apis/api-directory.ts';
import { ObjectCache } from '../edge/cache/object-cache.ts';
import type { SecureNames } from '../edge/certificates/secure-names.ts';
import { createEdge, type Edge, type EdgeOptions } from '../edge/edge-server.ts';
import { Gates } from '../edge/instances/gates.ts';
import { RouteTable } from '../edge/routes/route-table.ts';
import { SiteLibrary } from '../edge/static/site-library.ts';
import { Traffic } from '../edge/traffic/traffic.ts';
import { systemClock } from '../lib/clock.ts';
import { silentLog } from '../lib/log.ts';
import type { ObjectStore } from '../objects/object-store.ts';

/** What stands in for the api on its socket. */
export type ApiStandIn = (request: IncomingMessage, response: ServerResponse) => unknown;

interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  body: string;
}

interface Call {
  method?: string;
  path?: string;
  host?: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Buffer;
}

/** A real edge on a real port, with something on the api's socket, or nothing. */
export async function startTestEdge(
  listener: ApiStandIn | null,
  options: {
    trustedProxies?: string[];
    holdMs?: number;
    rateLimit?: number;
    areRoutesKnown?: boolean;
    maxConnections?: number;
    /** How long requests wait for an instance. */
    instanceHoldMs?: number;
    accessLog?: AccessLog;
    /** Left out, there are no apis on other hosts. */
    elsewhere?: ApiDirectory;
    /** Left out, the objects are files of this machine. */
    objects?: Pick<ObjectStore, 'read'>;
    /** Left out, there is no https. */
    names?: SecureNames;
    config?: Partial<EdgeOptions['config']>;
  } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-edge-'));
  const apiSocket = join(folder, 'api.sock');
  const config = {
    publicUrl: new URL('http://lilac.test'),
    appsDomain: 'apps.test',
    trustedProxies: options.trustedProxies ?? [],
    rateLimit: options.rateLimit ?? 5000,
    tls: { port: 7443, isPortRequired: false, hstsSeconds: null },
    ...options.config,
  };
  const { holdMs, maxConnections } = options;
  const limits = { clock: systemClock, ...(holdMs && { holdMs }), ...(maxConnections && { maxConnections }) };
  const paths = {
    apiSocket,
    objectsSocket: join(folder, 'objects.sock'),
    objects: join(folder, 'objects'),
    edgeSockets: join(folder, 'edges'),
  };
  const routes = new RouteTable();
  if (options.areRoutesKnown !== false) routes.replaceAll([]);
  const { objects } = options;
  const objectCache = objects && new ObjectCache({ root: join(folder, 'edge-cache'), objects, maxBytes: 2 ** 30 });
  const sites = new SiteLibrary({ root: paths.objects, cache: objectCache });
  const { instanceHoldMs, accessLog } = options;
  const gates = new Gates({ routes, ...(instanceHoldMs !== undefined && { holdMs: instanceHoldMs }) });
  const traffic = new Traffic();
  const https = options.names && { names: options.names, port: 7443 };
  const edge = createEdge({
    config,
    paths,
    routes,
    sites,
    https,
    gates,
    traffic,
    accessLog,
    objectCache,
    elsewhere: options.elsewhere,
    log: silentLog,
    ...limits,
  });
  for (const server of [edge.server, edge.tlsServer]) {
    server?.listen(0, '127.0.0.1');
    if (server) await once(server, 'listening');
  }
  const servers: Server[] = [];
  let connections = 0;
  const startApi = async (handler: ApiStandIn) => {
    rmSync(apiSocket, { force: true });
    const listen = (request: IncomingMessage, response: ServerResponse) => void handler(request, response);
    // Whether a body is asked for is the stand-in's to say.
    const server = createServer(listen).on('checkContinue', listen).listen(apiSocket);
    server.on('connection', () => connections++);
    servers.push(server);
    await once(server, 'listening');
  };
  if (listener) await startApi(listener);
  onTestFinished(async () => {
    await edge.stop(0);
    for (const server of servers) server.closeAllConnections();
    for (const server of servers) server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    ...caller(edge),
    startApi,
    /** How often somebody connected to the api. */
    connections: () => connections,
    stop: (ms: number) => edge.stop(ms),
    paths,
    routes,
    sites,
    gates,
    traffic,
    /** Of https; 0 where there is none. */
    tlsPort: (edge.tlsServer?.address() as AddressInfo | undefined)?.port ?? 0,
    leaveStaleSocket: () => leaveStale(servers.pop()!, apiSocket),
  };
}

/** A socket file that nobody listens on, as kill -9 leaves it. A second name saves it from being removed. */
async function leaveStale(server: Server, path: string): Promise<void> {
  linkSync(path, `${path}.kept`);
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
  renameSync(`${path}.kept`, path);
}

function caller(edge: Edge) {
  const { port } = edge.server.address() as AddressInfo;
  const open = ({ method = 'GET', path = '/', host = 'localhost', headers = {}, body }: Call) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const framing =
        body === undefined || headers['Transfer-Encoding'] ? {} : { 'Content-Length': Buffer.byteLength(body) };
      const request = startRequest({
        port,
        host: '127.0.0.1',
        method,
        path,
        agent: false,
        headers: { Host: host, ...headers, ...framing },
      });
      request.once('response', resolve).once('error', reject).end(body);
    });
  const call = async (options: Call): Promise<Answer> => {
    const answer = await open(options);
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: await text(answer) };
  };
  const openRaw = (bytes: string) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(bytes);
    return socket;
  };
  return { port, open, call, openRaw, sendRaw: (bytes: string) => text(openRaw(bytes)) };
}

import { once } from 'node:events';
import { connect as connectHttp2, type ClientHttp2Session, type OutgoingHttpHeaders } from 'node:http2';
import { request as startRequest } from 'node:https';
import type { TcpNetConnectOpts } from 'node:net';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { onTestFinished } from 'vitest';
import type { Route } from '../../../routing/route.ts';
import { startTestEdge, type ApiStandIn } from '../../../testing/start-test-edge.ts';
import { writeRelease } from '../../testing/write-release.ts';
import { makeTestNames, root, type TestNames } from './test-names.ts';

export const APP = 'shop.apps.test';
export const DOMAIN = 'www.example.org';
export const LARGE = Buffer.alloc(3_000_000, 'large ');

type Options = NonNullable<Parameters<typeof startTestEdge>[1]>;

/** An edge that serves a site by https, at its subdomain and at a domain of its own; the api is at lilac.test. */
export async function startSecureEdge(
  api: ApiStandIn | null = null,
  { route = {}, names = makeTestNames('lilac.test', [APP, DOMAIN]), ...rest }: Options & SecureEdgeOptions = {},
) {
  const edge = await startTestEdge(api, { holdMs: 50, names, ...rest });
  writeRelease(edge.paths.objects, { files: { '/index.html': 'home', '/large.bin': { content: LARGE } } });
  const target = { kind: 'static', artifactId: 'art_1', deploymentId: 'dep_1', revision: 1 } as const;
  const base = { environmentId: 'env_1', subdomain: 'shop', lock: null, accessLog: false, atSubdomain: true };
  const publish = (change: Partial<Route>) =>
    edge.routes.set({ ...base, target, domain: DOMAIN, version: 1, ...change });
  publish(route);
  const { tlsPort: port } = edge;
  const shake = (servername: string, options: ConnectionOptions = {}) => connectTls({ port, servername, ...options });
  const get = (host: string, path = '/', headers = {}) => getHttps({ port, host, path, headers });
  return {
    ...edge,
    names,
    publish,
    shake,
    get,
    session: (host = APP, from = '127.0.0.1') => openSession(port, host, from),
  };
}

interface SecureEdgeOptions {
  route?: Partial<Route>;
  names?: TestNames;
}

/** Fails when the handshake does. */
async function connectTls(options: ConnectionOptions): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', ca: root, ...options });
  onTestFinished(() => void socket.destroy());
  await once(socket, 'secureConnect');
  socket.on('error', () => {});
  return socket;
}

interface Get {
  port: number;
  host: string;
  path: string;
  headers: Record<string, string>;
  method?: string;
}

async function getHttps({ port, host, path, headers, method = 'GET' }: Get) {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = { host: '127.0.0.1', port, servername: host, ca: root, method, path, agent: false as const };
    startRequest({ ...options, headers: { host, ...headers } })
      .once('response', resolve)
      .once('error', reject)
      .end();
  });
  return { status: answer.statusCode!, headers: answer.headers, body: await text(answer) };
}

export interface Http2Answer {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  body: string;
}

/** A client of HTTP/2, as Node has one. */
async function openSession(port: number, host: string, localAddress = '127.0.0.1') {
  const place: ConnectionOptions & TcpNetConnectOpts = { host: '127.0.0.1', port, localAddress };
  const session: ClientHttp2Session = connectHttp2(`https://${host}:${port}`, {
    createConnection: () => connect({ ...place, servername: host, ca: root, ALPNProtocols: ['h2'] }),
  });
  session.on('error', () => {});
  onTestFinished(() => session.destroy());
  await once(session, 'connect');
  const open = (headers: OutgoingHttpHeaders, hasBody = false) => {
    const stream = session.request({ ':authority': host, ...headers }, { endStream: !hasBody });
    stream.on('error', () => {});
    return stream;
  };
  const call = async (headers: OutgoingHttpHeaders, body?: string | Buffer): Promise<Http2Answer> => {
    const stream = open(headers, body !== undefined);
    const answered = once(stream, 'response') as Promise<[Record<string, string> & { ':status': number }]>;
    if (body !== undefined) stream.end(body);
    const [fields] = await Promise.race([
      answered,
      once(stream, 'close').then((): never => {
        throw new Error(`the stream ended with ${stream.rstCode}`);
      }),
    ]);
    return { status: fields[':status'], headers: fields, body: await text(stream) };
  };
  return { session, open, call, get: (path = '/', headers = {}) => call({ ':path': path, ...headers }) };
}

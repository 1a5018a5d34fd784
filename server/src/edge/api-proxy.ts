import { existsSync } from 'node:fs';
import { Agent, request as startRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { ApiGate, isListening } from './api-gate.ts';
import type { ApiDirectory, Peer } from './apis/api-directory.ts';
import { PeerAgent } from '../routing/peer-agent.ts';
import { requestHeaders, responseHeaders, type ForwardedFor } from './headers.ts';
import type { ProxiedClient } from './proxied-client.ts';

/**
 * How a request to the api went.
 * - `answered`: an answer was passed on, whole or not.
 * - `unreachable`: nobody listens, and nothing of the request was sent.
 * - `broken`: the connection ended after the request was sent; whether it had an effect is unknown.
 * - `abandoned`: the client is gone.
 */
export type Outcome = 'answered' | 'unreachable' | 'broken' | 'abandoned';

export interface Exchange {
  client: ProxiedClient;
  path: string;
  /** Who it is. */
  identity: ForwardedFor;
}

export interface ProxyOptions {
  socketPath: string;
  /** How long a request is held while the api restarts. */
  holdMs: number;
  /** Who takes the same requests on other hosts; left out, nobody does. */
  elsewhere?: Elsewhere | undefined;
}

export interface Elsewhere {
  directory: ApiDirectory;
  purpose: string;
}

const MAX_HELD_REQUESTS = 1000;
/** More than an api has streams, each of which keeps a connection: there is always one left for a short request. */
const MAX_CONNECTIONS = 2048;
/** No byte in either direction for this long, and the connection is given up. Event streams ping more often. */
const IDLE_LIMIT_MS = 120_000;
/** Below the api's own limit for idle connections, so that it is never the api who closes one under a request. */
const IDLE_CONNECTION_MS = 20_000;

/** Passes requests to the api over its socket, both ways as a stream. */
export function createProxy({ socketPath, holdMs, elsewhere }: ProxyOptions) {
  const local: Way = { agent: new Agent(AGENT_OPTIONS), at: { socketPath } };
  const peers = elsewhere && createPeers(elsewhere);
  const isThere = async () => (await isListening(socketPath)) || (peers !== undefined && (await peers.isAnyThere()));
  const gate = new ApiGate({ isThere, maxWaiting: MAX_HELD_REQUESTS });

  /** Tries again only what cannot have had an effect. */
  async function forward(exchange: Exchange): Promise<Outcome> {
    const deadline = Date.now() + holdMs;
    let mayRepeat = isSafe(exchange.client);
    for (;;) {
      const outcome = await attemptAny(exchange);
      if (outcome === 'broken' && mayRepeat) {
        mayRepeat = false;
        continue;
      }
      if (outcome !== 'unreachable') return outcome;
      if ((await gate.wait(deadline - Date.now())) !== 'open') return 'unreachable';
      if (exchange.client.isGone) return 'abandoned';
    }
  }

  /** The api of this host; where there is none, or it restarts, one of another. */
  async function attemptAny(exchange: Exchange): Promise<Outcome> {
    // An api that is about to end removes its socket first: its open connections are not for new requests.
    const outcome = existsSync(socketPath) ? await attempt(exchange, local) : 'unreachable';
    if (outcome !== 'unreachable' || !peers) return outcome;
    for (const way of await peers.ways()) {
      const next = await attempt(exchange, way);
      if (next !== 'unreachable') return next;
    }
    return 'unreachable';
  }

  async function attempt({ client, path, identity }: Exchange, { agent, at }: Way): Promise<Outcome> {
    // Who left while somebody was looked for is not told of again.
    if (client.isGone) return 'abandoned';
    const upstream = startRequest({
      ...at,
      agent,
      path,
      method: client.method,
      headers: requestHeaders(client.rawHeaders, identity, client),
      setHost: false,
      timeout: IDLE_LIMIT_MS,
    });
    return new Promise((resolve) => {
      let isConnected = false;
      const onGone = () => {
        upstream.destroy();
        resolve(client.isServed ? 'answered' : 'abandoned');
      };
      client.onceOver(onGone);
      upstream.once('socket', (socket) =>
        whenConnected(socket, () => {
          isConnected = true;
          sendBody(client, upstream);
        }),
      );
      upstream.once('timeout', () => upstream.destroy(new Error('the api is silent')));
      upstream.once('continue', () => client.isAnswered || client.askForBody());
      upstream.once('response', (answer) => passOn(answer, client, upstream));
      const onLost = () => {
        if (client.isAnswered) return;
        client.offOver(onGone);
        client.body.unpipe(upstream);
        if (client.isGone) resolve('abandoned');
        else resolve(isConnected ? 'broken' : 'unreachable');
      };
      // Where another protocol is spoken all of a sudden (101), there is no error, only an end.
      upstream.on('error', onLost).once('close', onLost);
    });
  }

  function close(): void {
    local.agent.destroy();
    peers?.close();
  }

  return { forward, close };
}

/** How to get to somebody who takes requests. */
interface Way {
  agent: Agent;
  at: { socketPath: string } | Peer;
}

const AGENT_OPTIONS = {
  keepAlive: true,
  timeout: IDLE_CONNECTION_MS,
  maxSockets: MAX_CONNECTIONS,
  maxFreeSockets: 64,
} as const;

function createPeers({ directory, purpose }: Elsewhere) {
  const agent = new PeerAgent({ ...AGENT_OPTIONS, secret: () => directory.secret, purpose });
  directory.watch((peer) => agent.endAll(peer));
  return {
    isAnyThere: () => directory.isAnyThere(),
    async ways(): Promise<Way[]> {
      const known = directory.list();
      if (known.length === 0) await directory.look();
      return (known.length > 0 ? known : directory.list()).map((at) => ({ agent, at }));
    },
    close: () => agent.destroy(),
  };
}

/** Only now is the client's body touched: until somebody listens, it can still go to the next attempt. */
function sendBody({ hasBody, body }: ProxiedClient, upstream: ClientRequest): void {
  if (!hasBody) return void upstream.end();
  // The api may refuse by the headers alone. They go with the body's beginning only if that is here already.
  if (body.readableLength === 0) upstream.flushHeaders();
  body.pipe(upstream);
}

function passOn(answer: IncomingMessage, client: ProxiedClient, upstream: ClientRequest): void {
  // The rest of the request was broken, and that is answered already; or nobody is there to be answered.
  if (client.isAnswered || client.isGone) return void upstream.destroy();
  const { statusCode: status = 502, statusMessage: reason, rawHeaders } = answer;
  const rest = client.answer({ status, reason, headers: responseHeaders(rawHeaders) });
  const finish = () => {
    if (client.isComplete) return;
    // Answered before all of the body was sent. The api needs no more of it.
    client.body.unpipe(upstream);
    upstream.destroy();
    client.dropBody();
  };
  if (rest === null) {
    answer.resume();
    return finish();
  }
  // When the api breaks off, so do we: the client must not take half an answer for a whole one.
  pipeline(answer, rest, finish);
}

function whenConnected(socket: Socket, act: () => void): void {
  if (socket.connecting) socket.once('connect', act);
  else act();
}

/** Safe methods ask, and change nothing (RFC 9110, 9.2.1). */
function isSafe({ method, hasBody }: ProxiedClient): boolean {
  return ['GET', 'HEAD', 'OPTIONS'].includes(method) && !hasBody;
}

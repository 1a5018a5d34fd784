import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Log } from '../lib/log.ts';
import { isChallengePath } from './acme-challenge-path.ts';
import { isDomainKey } from './address-key.ts';
import type { Answers, EdgeError } from './answer.ts';
import { unavailable, type AppAnswers } from './app-answers.ts';
import { limitRequestTime } from './broken-request.ts';
import { protocolOf } from './client-identity.ts';
import { hasBody, isWellFramed } from './framing.ts';
import type { ForwardedFor } from './headers.ts';
import { nameHost, tunnelInside } from './instances/way-inside.ts';
import type { IsStray } from './is-stray.ts';
import { answerUnlock } from './lock/answer-unlock.ts';
import type { createUnlockCaller } from './lock/call-unlock.ts';
import { OneByOne } from './one-by-one.ts';
import { OpenAnswers } from './open-answers.ts';
import { brokenAnswer, noSuchApp } from './pages/app-errors.ts';
import type { Passages } from './passages.ts';
import {
  apiBroke,
  apiUnavailable,
  misdirected,
  notUnderstood,
  REQUEST_LIMIT_MS,
  unknownHost,
} from './platform-errors.ts';
import { clientOf } from './proxied-client.ts';
import { readTarget, type RequestTarget } from './request-target.ts';
import type { createRouter, Route } from './router.ts';
import type { RouteTable } from './routes/route-table.ts';
import type { BlobLibrary } from './static/blob-library.ts';
import { logUnreadable } from './static/log-unreadable.ts';
import { errorAnswer } from './static/static-answer.ts';
import { staticRequestOf, writeResponse } from './static/write-response.ts';
import type { HttpsRules } from './tls/https-rules.ts';
import { countHttp } from './traffic/count-http.ts';

export interface RequestServerOptions {
  server: Server;
  routeOf: ReturnType<typeof createRouter>;
  routes: RouteTable;
  appAnswers: AppAnswers;
  answers: Answers;
  passages: Passages;
  /** The edge's own way in. */
  innerPath: string;
  callUnlock: ReturnType<typeof createUnlockCaller>;
  blobs: BlobLibrary;
  /** Null: there is no https. */
  rules: HttpsRules | null;
  /** Who the client is, and how it came. */
  describe(request: IncomingMessage): Omit<ForwardedFor, 'host'>;
  /** The edge takes nobody new. */
  isStopping(): boolean;
  log: Log;
}

interface HttpExchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/** Answers what Node's HTTP server has read: what the front does not take, and what comes on such connections later. */
export function createRequestServer(options: RequestServerOptions) {
  const { server, routeOf, routes, appAnswers, answers, passages, innerPath, blobs, rules, log } = options;
  const open = new OpenAnswers();

  function serve(request: IncomingMessage, response: ServerResponse): void {
    handle(request, response).catch((error: unknown) => {
      log.error({ err: error }, 'A request could not be handled');
      response.destroy();
    });
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // The last answer on this connection says so, and the client goes elsewhere for the next.
    response.shouldKeepAlive &&= !options.isStopping();
    // One of our own that the front has handed over is of no use to anybody else's request: the front must have that.
    response.shouldKeepAlive &&= !isFromInside(request);
    const target = readTarget(request);
    if (!target || !isWellFramed(request)) return refuse(request, response, notUnderstood);
    beStrict({ request, response }, target);
    const route = routeOf(target.host);
    if (isChallengePath(target.path)) return passOn(request, response, target);
    if (isForHttps(request, route, target)) return move({ request, response }, target);
    if (isMisdirected(request, target)) return answers.give(request, response, misdirected);
    if (route.kind === 'app') return serveApp({ request, response }, route.name, target);
    if (route.kind === 'unknown') return answers.give(request, response, unknownHost);
    return passOn(request, response, target);
  }

  /** Browsers that came by https are told to come so again, where that is wished. */
  function beStrict({ request, response }: HttpExchange, { host = '' }: RequestTarget): void {
    if (isSecure(request) && rules?.strictHeader && rules.isStrict?.(host)) response.setHeader(...rules.strictHeader);
  }

  function isMisdirected({ socket }: IncomingMessage, { host = '' }: RequestTarget): boolean {
    return rules !== null && rules.isMisdirected(socket, host);
  }

  /** A proxy that says it was asked by https is believed, whoever it is: nobody but its clients would go in circles. */
  function isForHttps(request: IncomingMessage, route: Route, { host }: RequestTarget): boolean {
    if (rules === null || route.kind === 'unknown' || isSecure(request) || isFromInside(request)) return false;
    const { 'x-forwarded-proto': proto, 'x-lilac-probe': probe } = request.headers;
    if (protocolOf(proto?.toString()) === 'https' || probe !== undefined) return false;
    return rules.isForHttps(route.kind === 'app' ? route.name : null, host);
  }

  async function move(exchange: HttpExchange, { host = '', path }: RequestTarget): Promise<void> {
    limitRequestTime(server, exchange.request, REQUEST_LIMIT_MS);
    await writeResponse(exchange, rules!.move(host, path), blobs);
  }

  async function passOn(request: IncomingMessage, response: ServerResponse, target: RequestTarget): Promise<void> {
    const isObject = target.path.startsWith('/objects/');
    if (!isObject) limitRequestTime(server, request, REQUEST_LIMIT_MS);
    const identity = identityOf(request, target);
    const proxy = isObject ? passages.objects : passages.api;
    const outcome = await proxy.forward({ client: clientOf(request, response), path: target.path, identity });
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
    if (question.counters) open.note(response, target.host!, question.counters.environmentId);
    limitRequestTime(server, request, REQUEST_LIMIT_MS);
    if (planned === null) return answerNobody(exchange, name);
    try {
      await writeResponse(exchange, await planned, blobs);
    } catch (error) {
      logUnreadable(log, { err: error }, 'A file of a release cannot be read');
      await writeResponse({ request, response }, errorAnswer(unavailable, question.accept), blobs);
    }
  }

  /** There is no such application, or it is one with a lock and this is the key. */
  async function answerNobody({ request, response }: HttpExchange, name: string): Promise<void> {
    const route = routes.find(name);
    if (!route) return answers.give(request, response, isDomainKey(name) ? unknownHost : noSuchApp);
    const { environmentId } = route;
    const { address, protocol } = options.describe(request);
    return answerUnlock({ request, response, environmentId, address, protocol }, options.callUnlock);
  }

  /** Instances are the front's: it gets the request from ourselves, by a way of its own. */
  async function passInside({ request, response }: HttpExchange, target: RequestTarget): Promise<void> {
    // It has come that way already, and the front did not take it.
    if (isFromInside(request)) return answers.give(request, response, notUnderstood);
    const identity = identityOf(request, target);
    nameHost(request, identity.host);
    const client = clientOf(request, response);
    const outcome = await passages.inside.forward({ client, path: target.path, identity });
    if (response.headersSent) return;
    if (outcome === 'unreachable') answers.give(request, response, unavailable);
    if (outcome === 'broken') answers.give(request, response, brokenAnswer);
  }

  /** Where to, when the request asks for a tunnel to an instance; null for all else. */
  function tunnelOf(request: IncomingMessage): RequestTarget | null {
    const target = readTarget(request);
    const route = routeOf(target?.host);
    if (!target || route.kind !== 'app' || hasBody(request) || isFromInside(request)) return null;
    if (isChallengePath(target.path)) return null;
    if (isForHttps(request, route, target) || isMisdirected(request, target)) return null;
    const planned = appAnswers(route.name, staticRequestOf(request, target.path));
    return planned !== null && 'take' in planned ? target : null;
  }

  function openTunnel(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const target = tunnelOf(request);
    if (!target) return void socket.destroy();
    const client = identityOf(request, target);
    nameHost(request, client.host);
    tunnelInside(innerPath, { request, socket, head, path: target.path, client });
  }

  /** Where the body ends, or whether it comes at all, is not certain: so the connection ends here. */
  function refuse(request: IncomingMessage, response: ServerResponse, error: EdgeError): void {
    response.shouldKeepAlive = false;
    answers.give(request, response, error);
  }

  function identityOf(request: IncomingMessage, { host = '' }: RequestTarget): ForwardedFor {
    return { ...options.describe(request), host };
  }

  return { serve, refuse, tunnelOf, openTunnel, endStrays: (isStray: IsStray) => open.endStrays(isStray) };
}

export function isSecure({ socket }: IncomingMessage): boolean {
  const connection: Duplex = socket;
  return connection instanceof OneByOne && connection.isSecure;
}

export function isFromInside({ socket }: IncomingMessage): boolean {
  const connection: Duplex = socket;
  return connection instanceof OneByOne && connection.way === 'inside';
}

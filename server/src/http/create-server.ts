import type { EndpointName } from '@lilac/contract/endpoints';
import { declarationOf } from '@lilac/contract/endpoints';
import type { GitProvider } from '@lilac/contract/states';
import {
  fastify,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RouteHandlerMethod,
} from 'fastify';
import type { Config } from '../config.ts';
import { newId } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import { vitals } from '../lib/vitals.ts';
import { answerSerialisers } from './answer-serialisers.ts';
import type { Credential } from './authenticate.ts';
import { addBodyParsers, MAX_BODY_BYTES } from './body-parsers.ts';
import { answerBrokenRequest } from './broken-request.ts';
import { compressAnswers } from './compress-answers.ts';
import { answerError } from './error-answer.ts';
import { OpenStreams } from './open-streams.ts';
import type { OriginVerdict } from './origin.ts';
import { createOwnCookies } from './own-cookies.ts';
import {
  answerPreflight,
  createPrelude,
  isPreflight,
  nothingThere,
  type Prelude,
  type PreludeDeps,
} from './prelude.ts';
import { passToKeeper, type PassToKeeperDeps } from './pass-to-keeper.ts';
import { registerDocuments } from './register-documents.ts';
import { admitUnread, registerEndpoints, type EndpointDeps } from './register-endpoints.ts';
import { watchRequests } from './watch-requests.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The page that says that there is none; absent where the console is not built. */
    missingPage?: RouteHandlerMethod;
  }
  interface FastifyRequest {
    /** The client's address; never one that a header made up. */
    address: string;
    /** What the caller's browser knows this server as. */
    ownOrigin: string;
    originVerdict: OriginVerdict;
    credential: Credential | null;
    isAdmitted: boolean;
  }
  interface FastifyContextConfig {
    /** Which endpoint of the contract a route serves; absent on pages. */
    endpoint?: EndpointName;
    /** On the few routes below /api/ that are not of the contract. */
    isDocument?: boolean;
    /** On the routes where repository hosts tell what has happened: which of them. */
    webhookOf?: GitProvider;
    /** Where certificate authorities look for proofs. */
    isChallenge?: boolean;
    /** On the pages and files of the console: they ask nothing of the API. */
    isOfConsole?: boolean;
  }
}

export interface ServerDeps extends Omit<EndpointDeps, 'cookies' | 'openStreams'> {
  config: Config;
  shareRates?: PreludeDeps['shareRates'];
  /** Where several hosts may be: how the one is asked that keeps the databases. */
  keeper?: PassToKeeperDeps | undefined;
  /** Left out, as many as one process can hold. */
  openStreams?: OpenStreams;
}

/** The contract as a web server: authenticate → admit → parse → handle → present. Not yet listening. */
export function createServer(deps: ServerDeps): FastifyInstance {
  const { config, log } = deps;
  const { openStreams = new OpenStreams() } = deps;
  const endpointDeps: EndpointDeps = { ...deps, openStreams, cookies: createOwnCookies(config) };
  const app: FastifyInstance = fastify({
    // One line per request would cost more than the request; failures are logged where they are answered.
    logger: false,
    genReqId: () => newId('req'),
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: 120_000,
    // Requests that arrive on open connections while closing are still answered.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    schemaController: answerSerialisers,
    frameworkErrors: (error, request, reply) => {
      const page = isForPerson(request) ? app.missingPage : undefined;
      const refusal = prelude.begin(request, reply, { isPage: page !== undefined });
      // The router fails over an address that cannot be read, or is too long to be one, before any route is asked.
      if (!refusal && page) void showMissing(page, request, reply);
      else sendError(refusal ?? error, request, reply);
    },
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, prelude.headersFor),
  });
  const prelude = createPrelude(app, deps);
  /** Nobody waits for it: what goes wrong with the page must not end the process. */
  const showMissing = async (page: RouteHandlerMethod, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    try {
      await page.call(app, request, reply);
    } catch (error) {
      sendError(error, request, reply);
    }
  };
  const sendError = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const { status, headers, body } = answerError(error, { endpoint: nameOf(request), requestId: request.id }, deps);
    // Closed with a body half read, the connection would break before the edge has read this answer.
    void reply.removeHeader('connection');
    void reply.code(status).headers(headers).type('application/json; charset=utf-8').send(JSON.stringify(body));
  };
  decorate(app);
  addBodyParsers(app, ({ routeOptions: { config } }) =>
    Boolean(config.endpoint && declarationOf(config.endpoint).acceptsForm),
  );
  addPreludeHook(app, prelude);
  if (deps.keeper) passToKeeper(app, deps.keeper);
  app.setErrorHandler(async (error, request, reply) => {
    const forged = prelude.countForged(error, request, reply);
    sendError(forged ?? (await admitUnread(endpointDeps, request, error)), request, reply);
    return reply;
  });
  watchRequests(app);
  compressAnswers(app);
  vitals.read('gauge', 'lilac_api_open_streams', 'Event streams that somebody reads.', () => openStreams.size);
  if (log.isLevelEnabled('debug')) logRequests(app, log);
  closeIdleConnectionsWhileClosing(app);
  registerEndpoints(app, endpointDeps);
  registerDocuments(app, config);
  return app;
}

function decorate(app: FastifyInstance): void {
  app.decorateRequest('address', '');
  app.decorateRequest('ownOrigin', '');
  app.decorateRequest('originVerdict', 'none');
  app.decorateRequest('credential', null);
  app.decorateRequest('isAdmitted', false);
}

function addPreludeHook(app: FastifyInstance, prelude: Prelude): void {
  app.addHook('onRequest', (request, reply, done) => {
    const isMissingPage = request.is404 && app.missingPage !== undefined && isForPerson(request);
    const isPage = isMissingPage || request.routeOptions.config.isOfConsole === true;
    const refusal = prelude.begin(request, reply, { isPage });
    if (refusal) return done(refusal);
    if (isPreflight(request)) return answerPreflight(request, reply);
    // A page's catch-all route must not answer for the API.
    const { endpoint, isDocument } = request.routeOptions.config;
    const isUnknown = request.is404 || (request.url.startsWith('/api/') && !endpoint && !isDocument);
    done(isUnknown && !isForPerson(request) ? nothingThere(request, reply) : undefined);
  });
}

/** Typed or followed in a browser: the console shows that there is no such page. */
function isForPerson({ method, url, headers }: FastifyRequest): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && !/^\/api(\/|\?|$)/i.test(url) && /\btext\/html\b/.test(headers.accept ?? '');
}

function logRequests(app: FastifyInstance, log: Log): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode: status, elapsedTime } = reply;
    const requestId = request.id;
    log.debug({ endpoint: nameOf(request), status, ms: Math.round(elapsedTime), requestId }, 'answered');
    done();
  });
}

/** What the log calls it: the endpoint's name, or the path where there is none. */
function nameOf({ routeOptions, method, url }: FastifyRequest): string {
  return routeOptions?.config?.endpoint ?? `${method} ${url.split('?', 1)[0]}`;
}

/** A connection whose last request is answered while closing would otherwise be waited for until it times out. */
function closeIdleConnectionsWhileClosing(app: FastifyInstance): void {
  app.addHook('preClose', (done) => {
    const timer = setInterval(() => app.server.closeIdleConnections(), 20);
    app.server.once('close', () => clearInterval(timer));
    if (!app.server.listening) clearInterval(timer);
    done();
  });
}

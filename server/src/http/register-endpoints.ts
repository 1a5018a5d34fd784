import type { EndpointDeclaration } from '@lilac/contract/endpoint';
import { declarationOf, endpointNames, type EndpointName } from '@lilac/contract/endpoints';
import { asOf, nextCursor, partial } from '@lilac/contract/response-headers';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { Fault, invalid, notFound } from '../lib/fault.ts';
import type { AccessTokens } from '../modules/accounts/access-token.ts';
import { admit, assertFeature, namesNothing, type Admission, type AdmissionDeps } from './admit.ts';
import { answerSchemaOf } from './answer-serialisers.ts';
import { authenticate, type Credential } from './authenticate.ts';
import { createClientReader } from './client.ts';
import type { Context, Handlers, SessionCaller, StreamHandler } from './handler.ts';
import type { OwnCookies } from './own-cookies.ts';
import { compileInput, type Input } from './read-input.ts';
import { createStreamServer, type StreamDeps, type StreamRequest } from './serve-stream.ts';
import { authenticateStream } from './stream-credential.ts';
import { whenClosed } from './when-closed.ts';

export interface EndpointDeps extends AdmissionDeps, StreamDeps {
  handlers: Handlers;
  accessTokens: Pick<AccessTokens, 'verify'>;
  /** Whose browser holds this refresh token; null when it is no longer good. Changes nothing. */
  sessionOfRefreshToken(token: string): Promise<SessionCaller | null>;
  cookies: OwnCookies;
}

/** Only these, and streams, read a cookie, each its own; nothing else can be done on the strength of one. */
const COOKIE_READERS: ReadonlyMap<EndpointName, keyof OwnCookies> = new Map<EndpointName, keyof OwnCookies>([
  ['auth.refresh', 'refresh'],
  ['auth.logout', 'refresh'],
  ['vcs-setup.resume', 'journey'],
]);

type AnyHandler = (context: Context<EndpointDeclaration>) => unknown;

export function registerEndpoints(app: FastifyInstance, deps: EndpointDeps): void {
  app.addHook('preClose', (done) => {
    deps.openStreams.endAll();
    done();
  });
  for (const name of endpointNames) app.route(routeOf(name, deps));
}

function routeOf(name: EndpointName, deps: EndpointDeps): RouteOptions {
  const declaration = declarationOf(name);
  const readsCookie = COOKIE_READERS.has(name);
  return {
    method: declaration.method,
    url: declaration.path,
    config: { endpoint: name },
    // It would be read for ever.
    exposeHeadRoute: !declaration.stream,
    ...(declaration.stream ? {} : { schema: { response: { [declaration.status]: answerSchemaOf(declaration) } } }),
    onRequest: async (request) => {
      if (readsCookie) assertNotCrossSite(request);
      if (declaration.credential === 'none') return;
      request.credential = declaration.stream
        ? await authenticateStream(request, deps)
        : await authenticate(request.headers.authorization, deps.accessTokens);
    },
    handler: declaration.stream ? streamHandlerOf(name, deps) : handlerOf(name, deps),
  };
}

function handlerOf(name: EndpointName, deps: EndpointDeps): RouteOptions['handler'] {
  const handle = deps.handlers[name] as unknown as AnyHandler;
  const enter = entranceOf(name, deps);
  return async (request, reply) => {
    const { context } = await enter(request, reply);
    try {
      return await handle(context);
    } catch (error) {
      if (error instanceof ClientGone) return reply.hijack();
      throw error;
    }
  };
}

function streamHandlerOf(name: EndpointName, deps: EndpointDeps): RouteOptions['handler'] {
  const handle = deps.handlers[name] as unknown as StreamHandler<EndpointDeclaration>;
  const enter = entranceOf(name, deps);
  const serve = createStreamServer(name, declarationOf(name), deps);
  return async (request, reply) => serve(handle, await enter(request, reply), { request, reply });
}

/** All that stands between a request and its handler. */
function entranceOf(name: EndpointName, deps: EndpointDeps) {
  const declaration = declarationOf(name);
  const readInput = compileInput(declaration);
  const readClient = createClientReader(deps.cookies, COOKIE_READERS.get(name) ?? null);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<StreamRequest> => {
    const input = readInput(request);
    const { credential } = request;
    const admission = await admitRequest(deps, declaration, { credential, input });
    request.isAdmitted = true;
    if (input.problem !== null) throw refuseInput(declaration, input.problem);
    assertResource(declaration, admission);
    reply.code(declaration.status);
    const context = {
      body: request.body,
      query: request.query,
      params: request.params,
      caller: admission?.caller ?? null,
      organisation: admission?.organisation ?? null,
      resource: admission?.resource ?? null,
      client: readClient(request),
      response: new EndpointResponse(reply, deps.cookies, request.ownOrigin),
    } as Context<EndpointDeclaration>;
    const readmit = async () =>
      assertResource(declaration, await admitRequest(deps, declaration, { credential, input }));
    return { context, readmit };
  };
}

function assertResource({ resource }: EndpointDeclaration, admission: Admission | null): void {
  if (resource && !admission?.resource) throw notFound(RESOURCE_LABELS[resource.kind]);
}

/** OAuth clients read `error` (RFC 6749, 5.2), everybody else `message` and `code`. */
function refuseInput({ acceptsForm }: EndpointDeclaration, problem: string): Fault {
  if (!acceptsForm) return invalid(problem);
  return new Fault('VA001', problem, { fields: { error: 'invalid_request', error_description: problem } });
}

const RESOURCE_LABELS = {
  application: 'Application',
  database: 'Database',
  deployment: 'Deployment',
  environment: 'Environment',
  project: 'Folder',
  upload: 'Upload',
} as const;

async function admitRequest(
  deps: EndpointDeps,
  declaration: EndpointDeclaration,
  { credential, input }: { credential: Credential | null; input: Input },
): Promise<Admission | null> {
  if (!credential) {
    assertFeature(deps, declaration);
    return null;
  }
  // Which organisation a person means cannot be told from such a body; a key is looked at all the same.
  if (input.named === null && credential.kind === 'session') throw invalid(input.problem!);
  return admit(deps, declaration, { credential, named: input.named ?? namesNothing });
}

/**
 * For a body that could not be read at all. What a key may do is decided first, as always: whoever holds
 * a revoked one learns that and nothing about the body. Returns the error to answer.
 */
export async function admitUnread(deps: EndpointDeps, request: FastifyRequest, error: unknown): Promise<unknown> {
  const name = request.routeOptions.config.endpoint;
  if (!name || request.isAdmitted || request.credential?.kind !== 'key') return error;
  try {
    await admit(deps, declarationOf(name), { credential: request.credential, named: namesNothing });
    return error;
  } catch (refusal) {
    return refusal;
  }
}

/** A page of another site can make a browser send requests; the cookie must not be spent by one. */
function assertNotCrossSite(request: FastifyRequest): void {
  const isCrossSite = request.headers['sec-fetch-site'] === 'cross-site';
  if (isCrossSite && request.originVerdict !== 'allowed') throw new Fault('CA010');
}

/** Why a handler stopped: nobody is there to be answered. */
class ClientGone extends Error {
  constructor() {
    super('The client has gone.');
  }
}

class EndpointResponse {
  readonly #reply: FastifyReply;
  readonly #cookies: OwnCookies;
  readonly #ownOrigin: string;
  #signal: AbortSignal | undefined;

  constructor(reply: FastifyReply, cookies: OwnCookies, ownOrigin: string) {
    this.#reply = reply;
    this.#cookies = cookies;
    this.#ownOrigin = ownOrigin;
  }

  setRefreshCookie(token: string): void {
    this.#reply.header('set-cookie', this.#cookies.refresh(this.#ownOrigin).issue(token));
  }

  clearRefreshCookie(): void {
    this.#reply.header('set-cookie', this.#cookies.refresh(this.#ownOrigin).clear());
  }

  setJourneyCookie(state: string, kept: string): void {
    this.#reply.header('set-cookie', this.#cookies.journey(this.#ownOrigin, state).issue(kept));
  }

  clearJourneyCookie(state: string): void {
    this.#reply.header('set-cookie', this.#cookies.journey(this.#ownOrigin, state).clear());
  }

  setCookie(cookie: string): void {
    this.#reply.header('set-cookie', cookie);
  }

  setNextCursor(cursor: string): void {
    this.#reply.header(nextCursor.name, cursor);
  }

  setAsOf(readAt: Date): void {
    this.#reply.header(asOf.name, readAt.toISOString());
  }

  setPartial(missing: readonly string[]): void {
    this.#reply.header(partial.name, missing.map(encodeURIComponent).join(','));
  }

  /** Made for those who ask. */
  get signal(): AbortSignal {
    return (this.#signal ??= signalOf(this.#reply));
  }
}

function signalOf({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  whenClosed(raw, () => controller.abort(new ClientGone()));
  return controller.signal;
}

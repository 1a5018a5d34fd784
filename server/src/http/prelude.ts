import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import type { Clock } from '../lib/clock.ts';
import { Fault } from '../lib/fault.ts';
import {
  createRateLimit,
  createSharedRateLimit,
  RATE_WINDOW_SECONDS,
  type SharedRateLimit,
} from '../lib/rate-limit.ts';
import { createOrigination } from './client-address.ts';
import { createOriginCheck, crossOriginHeaders, preflightHeaders } from './origin.ts';
import { isCountedElsewhere } from './passed-on.ts';
import { methodsAt } from './route-table.ts';
import { securityHeaders } from './security-headers.ts';

export interface PreludeDeps {
  config: Pick<Config, 'publicUrl' | 'allowedOrigins' | 'rateLimit'>;
  clock: Clock;
  /**
   * Where several apis count together: what tells each of what the others have counted. Left out, this one is alone.
   */
  shareRates?: ((limit: SharedRateLimit) => void) | undefined;
}

export interface Prelude {
  /**
   * Sets the headers every response carries; returns why the request goes no further, or null. A page or a file of the
   * console is not counted, nor refused for what was: whoever is over the limit is told so there, in words.
   */
  begin: (request: FastifyRequest, reply: FastifyReply, as: { isPage: boolean }) => Fault | null;
  /**
   * Hosts do not send again what they were once refused, and those of one proxy or company share an address: webhooks
   * count when they turn out to be forged, and only then. So do questions of certificate authorities that were made up.
   * Null, or what such a one is answered instead.
   */
  countForged: (error: unknown, request: FastifyRequest, reply: FastifyReply) => Fault | null;
  /** The same headers, for an answer to something that was no request. */
  headersFor: (address: string) => Record<string, string>;
}

/** What every request meets first, whether or not there is anything at its path. */
export function createPrelude(app: FastifyInstance, deps: PreludeDeps): Prelude {
  const { config } = deps;
  const originationOf = createOrigination(app.server);
  const countRequest = createCount(deps);
  const verdictOf = createOriginCheck(config);
  const fixedHeaders: Record<string, string> = {
    ...securityHeaders(),
    'ratelimit-limit': String(config.rateLimit),
    'ratelimit-policy': `${config.rateLimit};w=${RATE_WINDOW_SECONDS}`,
  };
  const count = ({ address }: FastifyRequest, reply: FastifyReply, requests: number): Fault | null => {
    const { isOver, remaining, resetSeconds } = countRequest(address, requests);
    reply.header('ratelimit-remaining', String(remaining));
    reply.header('ratelimit-reset', String(resetSeconds));
    return isOver ? new Fault('CA009', undefined, { retryAfterSeconds: resetSeconds }) : null;
  };
  const countForged: Prelude['countForged'] = (error, request, reply) => {
    const code = error instanceof Fault ? error.code : null;
    const isForged = (isWebhook(request) && code === 'CA002') || (isChallenge(request) && code === 'NF002');
    return isForged ? count(request, reply, 1) : null;
  };
  const begin: Prelude['begin'] = (request, reply, { isPage }) => {
    const { address, ownOrigin } = originationOf(request.raw);
    request.address = address;
    request.ownOrigin = ownOrigin;
    reply.headers(fixedHeaders);
    reply.header('x-request-id', request.id);
    const isNotCounted = isPage || isWebhook(request) || isChallenge(request) || isCountedElsewhere(request);
    const tooMany = count(request, reply, isNotCounted ? 0 : 1);
    if (tooMany && !isNotCounted) return tooMany;
    const { origin } = request.headers;
    request.originVerdict = verdictOf(origin, ownOrigin);
    if (request.originVerdict === 'refused') return new Fault('CA010');
    if (request.originVerdict === 'allowed') reply.headers(crossOriginHeaders(origin!));
    return null;
  };
  const headersFor = (address: string): Record<string, string> => {
    const { remaining, resetSeconds } = countRequest(address);
    return { ...fixedHeaders, 'ratelimit-remaining': String(remaining), 'ratelimit-reset': String(resetSeconds) };
  };
  return { begin, countForged, headersFor };
}

function createCount({ config, clock, shareRates }: PreludeDeps): SharedRateLimit['count'] {
  if (!shareRates) return createRateLimit({ limit: config.rateLimit, clock });
  const shared = createSharedRateLimit({ limit: config.rateLimit, clock });
  shareRates(shared);
  return shared.count;
}

/** Where the framework fails there may be no route. */
function isWebhook({ routeOptions }: FastifyRequest): boolean {
  return routeOptions?.config?.webhookOf !== undefined;
}

function isChallenge({ routeOptions }: FastifyRequest): boolean {
  return routeOptions?.config?.isChallenge === true;
}

export function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && 'access-control-request-method' in headers;
}

export function answerPreflight(request: FastifyRequest, reply: FastifyReply): void {
  void reply
    .headers(preflightHeaders(methodsAt(request.url)))
    .code(204)
    .send();
}

/** For a request that no route took: the path is unknown, or only the method is wrong. */
export function nothingThere(request: FastifyRequest, reply: FastifyReply): Fault {
  const methods = methodsAt(request.url);
  if (methods.length === 0) return new Fault('NF002');
  void reply.header('allow', methods.join(', '));
  return new Fault('MT001', `This path does not accept ${request.method}. Use ${methods.join(' or ')}.`);
}

import type { Agent, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { request as startRequest } from 'node:http';
import type { EndpointName } from '@lilac/contract/endpoints';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerOf } from '../lib/answer-of.ts';
import { Fault } from '../lib/fault.ts';
import type { Log } from '../lib/log.ts';
import type { Keeper, ReachedKeeper } from '../routing/keeper-store.ts';
import { COUNTED, isPassedOn, PASSED_ON } from './passed-on.ts';
import { whenClosed } from './when-closed.ts';

export interface PassToKeeperDeps {
  findKeeper(): Promise<Keeper>;
  /** Keeps connections to apis of other hosts. */
  agent: Agent;
  log: Log;
}

/** What only the host knows that keeps the databases: what is in them, which of them it can make, and how large. */
const OF_KEEPER: ReadonlySet<EndpointName | undefined> = new Set<EndpointName>([
  'databases.create',
  'databases.update',
  'databases.restore',
  'databases.explorer.schema',
  'databases.explorer.rows',
  'databases.explorer.query',
  'databases.explorer.cancel',
  'databases.explorer.row',
  'databases.explorer.table',
  'config.platform',
]);
/** Better known by halves than not at all. Questions only: they may be asked twice. */
const KNOWN_HERE_TOO: ReadonlySet<EndpointName | undefined> = new Set<EndpointName>(['config.platform']);

const SILENCE_MS = 120_000;
const RETRY_SECONDS = 5;
const AWAY =
  'The host that keeps the databases cannot be asked at the moment. Try again shortly. If that lasts, ask the ' +
  'operator: that host needs an api that other hosts reach (LILAC_API_LISTEN).';
const BROKEN =
  'The host that keeps the databases broke off before it answered. Look whether it was done before you try again.';

/** Counted here, and nowhere else. */
const OWN = ['ratelimit-limit', 'ratelimit-policy', 'ratelimit-remaining', 'ratelimit-reset'];
/** Of one connection, not of a request. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'expect', 'upgrade', 'te'];

/**
 * Passes such requests, as they came, to the api of the host that keeps the databases; that one asks who it is and
 * decides. To be registered after what every request meets first, which counts it, and before everything else, so that
 * nothing is decided twice.
 */
export function passToKeeper(app: FastifyInstance, deps: PassToKeeperDeps): void {
  app.addHook('onRequest', async (request, reply) => {
    const { endpoint } = request.routeOptions.config;
    if (!OF_KEEPER.has(endpoint) || isPassedOn(request)) return undefined;
    const keeper = await deps.findKeeper();
    if (keeper.kind === 'here') return undefined;
    const answer = keeper.kind === 'there' ? await ask(keeper, request, { ...deps, reply }) : 'unreachable';
    if (typeof answer !== 'string') return sendOn(answer, reply);
    if (KNOWN_HERE_TOO.has(endpoint)) return undefined;
    deps.log.warn({ host: keeper.host, endpoint, answer }, 'the host that keeps the databases could not be asked');
    throw new Fault('SV002', answer === 'broken' ? BROKEN : AWAY, { retryAfterSeconds: RETRY_SECONDS });
  });
}

type Failure = 'unreachable' | 'broken';

function ask(
  { at }: ReachedKeeper,
  { raw, headers }: FastifyRequest,
  { agent, reply }: { agent: Agent; reply: FastifyReply },
): Promise<IncomingMessage | Failure> {
  const upstream = startRequest({
    ...at,
    agent,
    path: raw.url,
    method: raw.method,
    headers: { ...without(headers, HOP_BY_HOP), [PASSED_ON]: COUNTED },
    setHost: false,
    timeout: SILENCE_MS,
  });
  // Whoever leaves does not want an answer, and a statement need not run on.
  whenClosed(reply.raw, () => upstream.destroy());
  return new Promise((resolve) => {
    let hasBegun = false;
    upstream.once('socket', () => {
      hasBegun = true;
      raw.pipe(upstream);
    });
    upstream.once('timeout', () => upstream.destroy(new Error('the other api is silent')));
    const fail = () => resolve(hasBegun ? 'broken' : 'unreachable');
    answerOf(upstream).then(resolve, fail);
  });
}

async function sendOn(answer: IncomingMessage, reply: FastifyReply): Promise<FastifyReply> {
  const headers = without(answer.headers, [...HOP_BY_HOP, ...OWN, 'transfer-encoding']);
  return await reply
    .code(answer.statusCode ?? 502)
    .headers(headers)
    .send(answer);
}

function without(headers: IncomingHttpHeaders, dropped: readonly string[]): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.includes(name)));
}

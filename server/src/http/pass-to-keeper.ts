import type { Agent, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { request as startRequest } from 'node:http';
import type { EndpointName } from '@lilac/contract/endpoints';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Fault } from '../lib/fault.ts';
import type { Log } from '../lib/log.ts';
import type { Keeper, ReachedKeeper } from '../routing/keeper-store.ts';
import { whenClosed } from './when-closed.ts';

export interface PassToKeeperDeps {
  findKeeper(): Promise<Keeper>;
  /** Keeps connections to apis of other hosts. */
  agent: Agent;
  log: Log;
}

interface Prelude {
  begin(request: FastifyRequest, reply: FastifyReply): Fault | null;
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
/** Better known by halves than not at all. */
const KNOWN_HERE_TOO: ReadonlySet<EndpointName | undefined> = new Set<EndpointName>(['config.platform']);

/** Says that a request was passed on already: two hosts that disagree must not send it to and fro. */
const PASSED = 'x-lilac-passed-on';
const SILENCE_MS = 120_000;
const RETRY_SECONDS = 5;
const AWAY =
  'The host that keeps the databases cannot be asked at the moment. Try again shortly. If that lasts, ask the ' +
  'operator: that host needs an api that other hosts reach (LILAC_API_LISTEN).';
const BROKEN =
  'The host that keeps the databases broke off before it answered. Look whether it was done before you try again.';

/** Of one connection, not of a request. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'expect', 'upgrade', 'te'];

/**
 * Passes such requests, as they came, to the api of the host that keeps the databases; that one asks who it is, counts
 * and decides. To be registered before everything else, so that nothing is decided twice.
 */
export function passToKeeper(app: FastifyInstance, prelude: Prelude, deps: PassToKeeperDeps): void {
  app.addHook('onRequest', async (request, reply) => {
    const { endpoint } = request.routeOptions.config;
    if (!OF_KEEPER.has(endpoint) || request.headers[PASSED] !== undefined) return undefined;
    const keeper = await deps.findKeeper();
    if (keeper.kind === 'here') return undefined;
    const isOptional = KNOWN_HERE_TOO.has(endpoint);
    const answer = keeper.kind === 'there' ? await ask(keeper, request, { ...deps, reply }) : 'unreachable';
    if (typeof answer !== 'string') return sendOn(answer, reply);
    if (isOptional) return undefined;
    deps.log.warn({ host: keeper.host, endpoint, answer }, 'the host that keeps the databases could not be asked');
    const away = new Fault('SV002', answer === 'broken' ? BROKEN : AWAY, { retryAfterSeconds: RETRY_SECONDS });
    throw prelude.begin(request, reply) ?? away;
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
    headers: { ...without(headers), [PASSED]: '1' },
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
    upstream.once('response', resolve);
    upstream.on('error', () => resolve(hasBegun ? 'broken' : 'unreachable'));
  });
}

async function sendOn(answer: IncomingMessage, reply: FastifyReply): Promise<FastifyReply> {
  const { 'transfer-encoding': _own, ...headers } = without(answer.headers);
  return await reply
    .code(answer.statusCode ?? 502)
    .headers(headers)
    .send(answer);
}

function without(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name)));
}

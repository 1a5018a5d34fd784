import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { InstanceAddress, InstancesTarget } from '../../../routing/route.ts';
import { PROBE_HEADER } from '../probe-edge.ts';
import type { StandInEdge } from './stand-in-edge.ts';

/** A public port behind which stand-in edges really pass requests on, each in its turn. */
export interface StandInFront extends AsyncDisposable {
  port: number;
  use(edge: StandInEdge): void;
}

const HOLD_MS = 20_000;
const CONCURRENCY_NAP_MS = 5;

export async function startStandInFront(): Promise<StandInFront> {
  const edges: StandInEdge[] = [];
  let turn = 0;
  const server = createServer((incoming, response) => {
    const edge = edges[turn++ % Math.max(1, edges.length)];
    const route = edge && [...edge.routes.values()].find(({ subdomain }) => subdomain === nameOf(incoming));
    if (!edge || route?.target?.kind !== 'instances') refuse(response, 'not-found');
    else void pass(edge, { environmentId: route.environmentId, incoming, response });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    use: (edge) => void edges.push(edge),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Exchange {
  environmentId: string;
  incoming: IncomingMessage;
  response: ServerResponse;
}

async function pass(edge: StandInEdge, exchange: Exchange): Promise<void> {
  const { environmentId, incoming, response } = exchange;
  const probe = probeOf(incoming);
  const load = (edge.environments[environmentId] ??= { inFlight: 0, waiting: 0, requests: 0 });
  // As edges do: a check is no load.
  if (!probe) load.requests++;
  const deadline = performance.now() + HOLD_MS;
  for (let hasAsked = false; performance.now() < deadline;) {
    const target = edge.routes.get(environmentId)?.target;
    if (target?.kind !== 'instances') return refuse(response, 'not-found');
    if (probe && target.probe?.token !== probe.token) return refuse(response, 'bad-probe');
    if (target.outage) return refuse(response, 'crashing');
    const instance = choose(edge, target, probe);
    if (instance && (await tryAt(edge, instance, exchange, probe !== null))) return;
    if (!instance && probe) return refuse(response, 'starting');
    if (!instance && !hasAsked) await ask(edge, environmentId);
    hasAsked = true;
    await delay(CONCURRENCY_NAP_MS);
  }
  refuse(response, 'too-late');
}

interface Probe {
  token: string;
  instanceId: string;
}

function probeOf({ headers }: IncomingMessage): Probe | null {
  const [token, instanceId] = headers[PROBE_HEADER]?.toString().split('.') ?? [];
  return token === undefined ? null : { token, instanceId: instanceId ?? '' };
}

function choose(edge: StandInEdge, target: InstancesTarget, probe: Probe | null): InstanceAddress | undefined {
  const checked = target.probe?.instances.filter(({ id }) => id === probe?.instanceId);
  const among = probe ? (checked ?? []) : target.instances;
  const busy = ({ id }: InstanceAddress) => edge.instances[id] ?? 0;
  return among.filter((one) => busy(one) < target.concurrency).toSorted((a, b) => busy(a) - busy(b))[0];
}

async function ask(edge: StandInEdge, environmentId: string): Promise<void> {
  const { inFlight = 0, waiting = 0 } = edge.environments[environmentId] ?? {};
  await edge.demand(environmentId, { inFlight, waiting: waiting + 1 });
  setTimeout(() => (edge.environments[environmentId]!.waiting = 0), 100).unref();
}

/** False when nobody could be connected to. */
function tryAt(
  edge: StandInEdge,
  { id, host, port }: InstanceAddress,
  exchange: Exchange,
  isProbe: boolean,
): Promise<boolean> {
  const { environmentId, incoming, response } = exchange;
  const count = (by: number) => {
    if (!isProbe) edge.environments[environmentId]!.inFlight += by;
    edge.instances[id] = (edge.instances[id] ?? 0) + by;
    if (edge.instances[id] === 0) delete edge.instances[id];
  };
  count(1);
  return new Promise((resolve) => {
    const onward = request({ host, port, path: incoming.url, headers: { host: incoming.headers.host }, agent: false });
    const end = (isDone: boolean) => {
      count(-1);
      resolve(isDone);
    };
    onward.once('response', (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
      answer.once('close', () => end(true));
    });
    onward.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') return end(false);
      refuse(response, 'broken');
      end(true);
    });
    // Who has gone waits for no answer.
    response.once('close', () => onward.destroy());
    onward.end();
  });
}

function refuse(response: ServerResponse, why: string): void {
  response.writeHead(why === 'not-found' ? 404 : 503, { 'x-lilac-error': why }).end(why);
}

const nameOf = ({ headers }: IncomingMessage): string | undefined => headers.host?.split('.')[0];

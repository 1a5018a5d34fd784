import { declarationOf, type EndpointName } from '@lilac/contract/endpoints';
import type { FastifyInstance } from 'fastify';
import { traced, traceOfRequest, type Trace } from '../lib/trace.ts';
import { vitals, type Histogram, type Series } from '../lib/vitals.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until its handler is about to be called. */
    trace: Trace | null;
  }
}

const BOUNDS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What is logged and enqueued on behalf of a request carries its id; what becomes of it is counted. */
export function watchRequests(app: FastifyInstance): void {
  const counts = new Map<EndpointName | undefined, RequestCount>();
  app.decorateRequest('trace', null);
  // Not earlier: reading the body would lose it.
  app.addHook('preHandler', (request, _reply, done) => {
    request.trace = traceOfRequest(request.id);
    traced(request.trace, done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    if (request.trace) request.trace.isOver = true;
    const { endpoint } = request.routeOptions.config;
    let count = counts.get(endpoint);
    if (!count) counts.set(endpoint, (count = new RequestCount(endpoint)));
    count.note(reply.statusCode, reply.elapsedTime);
    done();
  });
}

/** Those of one endpoint, or of everything that is none: the console, its files, and what is not there. */
class RequestCount {
  readonly #endpoint: string;
  readonly #durations: Histogram | null;
  readonly #byClass: (Series | undefined)[] = [];

  constructor(endpoint: EndpointName | undefined) {
    this.#endpoint = endpoint ?? 'none';
    // How long somebody listened is not how long an answer took.
    const isStream = endpoint !== undefined && declarationOf(endpoint).stream === true;
    this.#durations = isStream ? null : durationsOf(this.#endpoint);
  }

  note(status: number, elapsedMs: number): void {
    const digit = (status / 100) | 0;
    (this.#byClass[digit] ??= requestsOf(this.#endpoint, `${digit}xx`)).value++;
    this.#durations?.observe(elapsedMs / 1000);
  }
}

function requestsOf(endpoint: string, status: string): Series {
  return vitals.counter('lilac_api_requests_total', 'Requests to the API that were answered.', { endpoint, status });
}

function durationsOf(endpoint: string): Histogram {
  const help = 'How long answers of the API took; streams are not in it.';
  return vitals.histogram('lilac_api_request_duration_seconds', help, BOUNDS_SECONDS, { endpoint });
}

import { setTimeout as delay } from 'node:timers/promises';
import type { EndpointDeclaration } from '@lilac/contract/endpoint';
import type { EndpointName } from '@lilac/contract/endpoints';
import { toSerialiserSchema } from '@lilac/contract/json-schema';
import { eventsOf } from '@lilac/contract/stream-events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Fault } from '../lib/fault.ts';
import { answerError, type ErrorBooks } from './error-answer.ts';
import { EventStream, type StreamItem } from './event-stream.ts';
import type { Context, StreamHandler } from './handler.ts';
import type { OpenStreams } from './open-streams.ts';
import { whenClosed } from './when-closed.ts';

export interface StreamTimes {
  pingMs: number;
  /** How often it is asked again whether the caller may read. */
  readmitMs: number;
  retryMs: number;
}

const TIMES: StreamTimes = { pingMs: 15_000, readmitMs: 3000, retryMs: 1000 };
/** So often in a row the question may go unanswered: the store restarts within that time. */
const MAX_UNANSWERED = 5;

export interface StreamDeps extends ErrorBooks {
  openStreams: OpenStreams;
  /** Tests are in a hurry. */
  streamTimes?: Partial<StreamTimes>;
}

export interface StreamRequest {
  context: Context<EndpointDeclaration>;
  /** Decides again, as for a new request; throws what that would be answered. */
  readmit: () => Promise<unknown>;
}

type AnyStream = StreamHandler<EndpointDeclaration>;

/** Answers with what a handler tells, until it ends, the client goes, or the caller may no longer read. */
export function createStreamServer(name: EndpointName, declaration: EndpointDeclaration, deps: StreamDeps) {
  const times = { ...TIMES, ...deps.streamTimes };
  const writeData = dataWriter(declaration);

  return async (handle: AnyStream, { context, readmit }: StreamRequest, http: Http): Promise<EventStream> => {
    const { request, reply } = http;
    const { caller, organisation } = context;
    const organisationId = organisation?.id ?? null;
    const place = deps.openStreams.take({ caller, address: request.address, organisationId });
    const whoReads = new AbortController();
    whenClosed(reply.raw, () => {
      place.leave();
      whoReads.abort();
    });
    const lastEventId = single(request.headers['last-event-id']) || null;
    const source = handle({ ...context, lastEventId, signal: whoReads.signal });
    const batches = (source as AsyncIterable<readonly StreamItem[]>)[Symbol.asyncIterator]();
    const first = await batches.next();
    const stream = new EventStream({
      batches: resumed(first, batches),
      writeData: (event, data) => writeData(reply, event, data),
      whoReads,
      pingMs: times.pingMs,
      // Not all at the same moment, when an api restarts.
      retryMs: Math.round(times.retryMs * (1 + Math.random())),
      onError: (error) => answerError(error, { endpoint: name, requestId: request.id }, deps),
    });
    place.occupy(
      () => stream.finish(),
      () => reply.raw.destroy(),
    );
    void endWhenRefused({ readmit, everyMs: times.readmitMs, signal: whoReads.signal, end: () => place.end() });
    // What stands in between must neither keep nor gather it.
    reply.header('content-type', 'text/event-stream; charset=utf-8').header('x-accel-buffering', 'no');
    return stream;
  };
}

interface Http {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** The same iterator with its first result, which was looked at, before the others. */
function resumed<T>(first: IteratorResult<T>, rest: AsyncIterator<T>): AsyncIterator<T> {
  let isFirst = true;
  return {
    next() {
      if (!isFirst) return rest.next();
      isFirst = false;
      return Promise.resolve(first);
    },
    return: () => rest.return?.() ?? Promise.resolve({ done: true, value: undefined }),
  };
}

/** What many readers get is written once. */
function dataWriter(declaration: EndpointDeclaration) {
  const schemas = new Map(eventsOf(declaration).map(({ name, data }) => [name, toSerialiserSchema(data)]));
  const written = new WeakMap<object, string>();
  return (reply: FastifyReply, event: string, data: unknown): string => {
    const fields = data as Record<string, unknown>;
    const known = written.get(fields);
    if (known !== undefined) return known;
    const text = reply.serializeInput(fields, schemas.get(event)!);
    written.set(fields, text);
    return text;
  };
}

interface Watch {
  readmit: () => Promise<unknown>;
  everyMs: number;
  signal: AbortSignal;
  end: () => void;
}

async function endWhenRefused({ readmit, everyMs, signal, end }: Watch): Promise<void> {
  let unanswered = 0;
  while (!signal.aborted) {
    try {
      await delay(everyMs, undefined, { signal });
      await readmit();
      unanswered = 0;
    } catch (error) {
      if (error instanceof Fault || ++unanswered > MAX_UNANSWERED) return end();
    }
  }
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

import type { BodyInputOf, EndpointDeclaration, OutputOf, ParamsInputOf, QueryInputOf } from './endpoint.ts';
import { declarationOf, type EndpointName, type Endpoints } from './endpoints.ts';
import { sayForeignAnswer } from './foreign-answer.ts';
import { mergeHeaders } from './merge-headers.ts';
import { followStream, type StreamReader } from './stream-client.ts';

export type { StreamReader };

/** A failure that the API answered. `code` is stable; see the error reference. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** Finds the failure in the platform's log, when it was the platform's. */
  readonly errorId: string | null;
  /** How long the platform asks to wait, on 429 and 503. */
  readonly retryAfterSeconds: number | null;

  constructor({ status, code, message, errorId, retryAfterSeconds }: ErrorFields) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.errorId = errorId;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

type ErrorFields = Pick<ApiError, 'status' | 'code' | 'message' | 'errorId' | 'retryAfterSeconds'>;

export interface ClientOptions {
  /** Where the platform is: `https://lilac.example.org`. Empty in a page that the platform served. */
  baseUrl: string;
  fetch?: typeof fetch;
  /** An API key or a session token; a function is asked before every call. */
  token?: string | (() => string | null | Promise<string | null>);
  /** Sent with every call, for instance `X-Client-Type: cli`. */
  headers?: Record<string, string>;
  /** Told every answer before whoever asked is, which is not checked against the contract; may throw. */
  onAnswer?: (name: EndpointName, answer: unknown) => void;
}

/** What a call carries: only what its declaration has, and only what it must. */
export type CallInput<Name extends EndpointName> = PartOf<'body', BodyInputOf<Endpoints[Name]>> &
  PartOf<'query', QueryInputOf<Endpoints[Name]>> &
  PartOf<'params', ParamsInputOf<Endpoints[Name]>> & {
    headers?: Record<string, string>;
    signal?: AbortSignal | undefined;
    /** For what an answer says besides its body. */
    onHeaders?: (headers: Headers) => void;
    /** Of a stream: told when its connection is there, and when it failed and will be made anew. */
    onConnection?: (isThere: boolean) => void;
    /** Of a stream: while nobody reads it no connection is held, and then it goes on after the last event. */
    reader?: StreamReader;
  };

type PartOf<Part extends string, Value> = [Value] extends [undefined]
  ? { [P in Part]?: undefined }
  : object extends Exclude<Value, undefined>
    ? { [P in Part]?: Value }
    : { [P in Part]: Value };

type CallArguments<Name extends EndpointName> =
  object extends CallInput<Name> ? [input?: CallInput<Name>] : [input: CallInput<Name>];

/** The endpoints that answer with server-sent events. */
export type StreamName = {
  [Name in EndpointName]: Endpoints[Name] extends { stream: true } ? Name : never;
}[EndpointName];

type EventsOf<Name extends StreamName> = OutputOf<Endpoints[Name]>;

/** Which of the declared events it is, with its data. */
export type StreamEvent<Name extends StreamName> = {
  [Event in keyof EventsOf<Name> & string]: { id: string; event: Event; data: EventsOf<Name>[Event] };
}[keyof EventsOf<Name> & string];

export interface Client {
  call<Name extends EndpointName>(name: Name, ...input: CallArguments<Name>): Promise<OutputOf<Endpoints[Name]>>;
  /**
   * Every event once and in order: a connection that is lost is made anew, and goes on after the last event.
   * Ends when the signal is aborted; throws what the platform refuses with, at first or later.
   */
  stream<Name extends StreamName>(name: Name, ...input: CallArguments<Name>): AsyncIterable<StreamEvent<Name>>;
}

/** Calls the API by the names of the contract; works in browsers and in Node. */
export function createClient(options: ClientOptions): Client {
  return {
    async call(name, ...[input]) {
      const response = await send(declarationOf(name), (input ?? {}) as AnyInput, options);
      const answer: unknown = await response.json();
      options.onAnswer?.(name, answer);
      return answer as never;
    },
    async *stream(name, ...[input]) {
      const { headers, signal, onConnection, reader, ...rest } = (input ?? {}) as AnyInput;
      const open = (lastEventId: string, connection: AbortSignal) =>
        openStream(
          declarationOf(name),
          { ...rest, headers: resuming(headers, lastEventId), signal: connection },
          options,
        );
      for await (const { id, event, data } of followStream({ open, mayPass, signal, onConnection, reader })) {
        yield { id, event, data: JSON.parse(data) as unknown } as never;
      }
    },
  };
}

async function send(declaration: EndpointDeclaration, input: AnyInput, options: ClientOptions): Promise<Response> {
  const request = requestFor(declaration, input, options);
  const token = await tokenOf(options);
  if (token) request.init.headers['authorization'] = `Bearer ${token}`;
  const response = await (options.fetch ?? fetch)(request.url, request.init);
  if (!response.ok) throw await errorOf(response);
  input.onHeaders?.(response.headers);
  return response;
}

async function openStream(
  declaration: EndpointDeclaration,
  input: AnyInput,
  options: ClientOptions,
): Promise<Response> {
  const response = await send(declaration, input, options);
  const type = response.headers.get('content-type') ?? 'nothing';
  if (type.startsWith('text/event-stream')) return response;
  await response.body?.cancel();
  throw new ApiError({
    status: response.status,
    code: `HTTP${response.status}`,
    message: `What answers there is no stream of events but ${type}.`,
    errorId: null,
    retryAfterSeconds: null,
  });
}

function resuming(headers: Record<string, string> | undefined, lastEventId: string): Record<string, string> {
  return mergeHeaders(headers, {
    accept: 'text/event-stream',
    ...(lastEventId !== '' && { 'last-event-id': lastEventId }),
  });
}

/**
 * Whether the same question may be answered a moment later, though nobody has done anything about it: the network, an
 * api that restarts, too many calls. A refusal stays one.
 */
export function mayPass(error: unknown): boolean {
  if (error === null || error === undefined) return false;
  return !(error instanceof ApiError) || error.status >= 500 || error.status === 429;
}

interface AnyInput {
  body?: unknown;
  query?: Record<string, unknown>;
  params?: Record<string, unknown>;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  onHeaders?: (headers: Headers) => void;
  onConnection?: (isThere: boolean) => void;
  reader?: StreamReader;
}

function requestFor(declaration: EndpointDeclaration, input: AnyInput, { baseUrl, headers }: ClientOptions) {
  const path = declaration.path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(input.params?.[name])),
  );
  const body = declaration.body ? JSON.stringify(input.body ?? {}) : undefined;
  return {
    url: baseUrl.replace(/\/+$/, '') + path + searchOf(input.query),
    init: {
      method: declaration.method,
      headers: mergeHeaders(
        { accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }) },
        headers,
        input.headers,
      ),
      body,
      // Whoever answers could send what is in the body, and a token, anywhere.
      redirect: 'manual' as const,
      ...(input.signal && { signal: input.signal }),
    },
  };
}

function searchOf(query: Record<string, unknown> | undefined): string {
  const pairs = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs.map(([key, value]) => [key, String(value)]))}`;
}

function tokenOf({ token }: ClientOptions): string | null | Promise<string | null> {
  return typeof token === 'function' ? token() : (token ?? null);
}

/** Said and not followed. Browsers hide where it leads. */
function redirectOf({ type, status, url, headers }: Response): string | null {
  if (type !== 'opaqueredirect' && ![301, 302, 303, 307, 308].includes(status)) return null;
  const location = headers.get('location') ?? '';
  const here = originOf(url);
  const there = originOf(location, url || undefined);
  if (location === '' || !there || !here || there === here)
    return 'What answers there sends the call elsewhere, which the platform never does. Is something in front of it?';
  return `The platform at ${here} says that it is at ${there}: use that address, if you trust it.`;
}

const originOf = (url: string, base?: string) => (URL.canParse(url, base) ? new URL(url, base).origin : null);

/** The failure that an answer tells. Whatever stands between may answer with something else than our JSON. */
export async function errorOf(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => null)) as Record<string, unknown> | null;
  const said = (field: string) => (typeof body?.[field] === 'string' ? body[field] : null);
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const isOwn = said('code') !== null && said('message') !== null;
  return new ApiError({
    status: response.status,
    code: said('code') ?? `HTTP${response.status}`,
    message: redirectOf(response) ?? (isOwn ? said('message') : null) ?? sayForeignAnswer(response),
    errorId: said('errorId'),
    retryAfterSeconds: Number.isNaN(retryAfter) ? null : retryAfter,
  });
}

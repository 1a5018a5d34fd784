import { request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { answerOf } from '../../lib/answer-of.ts';
import { OBJECTS_PATH } from '../../objects/server/signed-address.ts';

/** As the edge passes on who asks; the api believes it on its own socket, and looks at the address elsewhere. */
type Asker = Pick<FastifyRequest, 'address' | 'ownOrigin'>;

/**
 * `fetch` that stays inside: what it asks for goes through the same doors as from outside (limits, admission,
 * validation), but needs no way to the public address, which this machine may not have.
 */
export function createInnerFetch(
  app: FastifyInstance,
  { objectsSocket, uploadOrigin }: { objectsSocket: string; uploadOrigin: string | null },
) {
  return (asker: Asker): typeof fetch =>
    async (input, init) => {
      // Archives that are not kept here go straight to where they are.
      if (uploadOrigin !== null && originOf(input) === uploadOrigin) return await fetch(input, init);
      const request = new Request(input, { ...init, ...(init?.body instanceof ReadableStream && { duplex: 'half' }) });
      const { pathname, search } = new URL(request.url);
      // Not that of the request made here: it follows no longer once the request has been collected.
      const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
      signal?.throwIfAborted();
      const call = { path: pathname + search, request, signal };
      const isObject = pathname.startsWith(OBJECTS_PATH);
      return isObject ? await callObjects(objectsSocket, call) : await callApi(app, { ...call, asker });
    };
}

const originOf = (input: Parameters<typeof fetch>[0]) => new URL(input instanceof Request ? input.url : input).origin;

interface InnerCall {
  path: string;
  request: Request;
  signal: AbortSignal | undefined;
}

async function callApi(app: FastifyInstance, call: InnerCall & { asker: Asker }): Promise<Response> {
  const { path, request, signal, asker } = call;
  const { protocol, host } = new URL(asker.ownOrigin);
  const sent = Buffer.from(await request.arrayBuffer());
  const payload = bodyOf(sent);
  // Its failure closes the response, as a client that has gone does; the injection's own signal does so no longer once
  // the body has been read.
  const leave = () => payload.destroy(new Error('The caller has gone.'));
  signal?.addEventListener('abort', leave, { once: true });
  const stay = () => signal?.removeEventListener('abort', leave);
  const answered = app.inject({
    method: request.method,
    url: path,
    remoteAddress: asker.address,
    headers: {
      ...Object.fromEntries(request.headers),
      host,
      'x-forwarded-for': asker.address,
      'x-forwarded-proto': protocol.slice(0, -1),
      'x-forwarded-host': host,
      ...(sent.length > 0 && { 'content-length': String(sent.length) }),
    },
    payload,
    payloadAsStream: true,
  });
  try {
    const { statusCode, headers, stream } = await answered;
    const body = stream();
    body.once('close', () => {
      stay();
      if (!body.readableEnded) leave();
    });
    return responseOf(statusCode, headers, body);
  } catch (error) {
    stay();
    throw signal?.aborted ? signal.reason : error;
  }
}

/** It stays open when it has been read, so that it can still fail. */
function bodyOf(bytes: Buffer): Readable {
  const body = new Readable({ read() {}, autoDestroy: false });
  if (bytes.length > 0) body.push(bytes);
  body.push(null);
  return body;
}

/** Archives go to storage, which is another server: at the socket where the edge finds it. */
async function callObjects(socketPath: string, { path, request, signal }: InnerCall): Promise<Response> {
  const { method, headers, body } = request;
  const options = { socketPath, path, method, headers: Object.fromEntries(headers) };
  const sent = httpRequest({ ...options, ...(signal && { signal }) });
  const answered = answerOf(sent, { signal });
  const sending = body ? pipeline(Readable.fromWeb(body as never), sent) : sent.end();
  // Who is refused before everything is sent is answered all the same.
  const [response] = await Promise.all([answered, Promise.resolve(sending).catch(() => {})]);
  return responseOf(response.statusCode ?? 502, response.headers, response);
}

type Headerish = Record<string, string | number | readonly string[] | undefined>;

function responseOf(status: number, headers: Headerish, stream: Readable): Response {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : String(value)] as [string, string]],
  );
  const hasBody = status !== 204 && status !== 304;
  return new Response(hasBody ? (Readable.toWeb(stream) as ReadableStream<Uint8Array>) : null, {
    status,
    headers: entries,
  });
}

import { request as httpRequest, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { OBJECTS_PATH } from '../../objects/local/signed-address.ts';

/** As the edge passes on who asks; the api believes it on its own socket, and looks at the address elsewhere. */
type Asker = Pick<FastifyRequest, 'address' | 'ownOrigin'>;

/**
 * `fetch` that stays inside: what it asks for goes through the same doors as from outside (limits, admission,
 * validation), but needs no way to the public address, which this machine may not have.
 */
export function createInnerFetch(app: FastifyInstance, { objectsSocket }: { objectsSocket: string }) {
  return (asker: Asker): typeof fetch =>
    async (input, init) => {
      const request = new Request(input, { ...init, ...(init?.body instanceof ReadableStream && { duplex: 'half' }) });
      const { pathname, search } = new URL(request.url);
      const isObject = pathname.startsWith(OBJECTS_PATH);
      const path = pathname + search;
      return isObject ? await callObjects(objectsSocket, path, request) : await callApi(app, { path, request, asker });
    };
}

interface ApiCall {
  path: string;
  request: Request;
  asker: Asker;
}

async function callApi(app: FastifyInstance, { path, request, asker }: ApiCall): Promise<Response> {
  const { protocol, host } = new URL(asker.ownOrigin);
  const response = await app.inject({
    method: request.method,
    url: path,
    remoteAddress: asker.address,
    headers: {
      ...Object.fromEntries(request.headers),
      host,
      'x-forwarded-for': asker.address,
      'x-forwarded-proto': protocol.slice(0, -1),
      'x-forwarded-host': host,
    },
    ...(request.body && { payload: Buffer.from(await request.arrayBuffer()) }),
    signal: request.signal,
    payloadAsStream: true,
  });
  return responseOf(response.statusCode, response.headers, response.stream());
}

/** Archives go to storage, which is another server: at the socket where the edge finds it. */
async function callObjects(socketPath: string, path: string, request: Request): Promise<Response> {
  const { method, headers, signal, body } = request;
  const sent = httpRequest({ socketPath, path, method, headers: Object.fromEntries(headers), signal });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve);
    sent.once('error', reject);
  });
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

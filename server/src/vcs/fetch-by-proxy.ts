import { Agent as HttpAgent, request as requestHttp, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { addAbortSignal, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { answerOf } from '../lib/answer-of.ts';

export interface ProxiedRequest {
  method: string;
  headers: Headers;
  body: ArrayBuffer | null;
  signal: AbortSignal;
}

/**
 * As `fetch`, which can be told of a proxy for the whole process only, and then also for what is on this machine. By
 * https the proxy only passes on what it cannot read. Redirects are the caller's to follow.
 */
export async function fetchByProxy(proxy: URL, url: URL, given: ProxiedRequest): Promise<Response> {
  // Node would pass by one of another kind, and ask the host directly.
  if (!/^https?:$/.test(proxy.protocol)) throw new Error(`A proxy that speaks ${proxy.protocol} cannot be used.`);
  const { method, headers, body, signal } = given;
  const isSecret = url.protocol === 'https:';
  const agent = isSecret
    ? new HttpsAgent({ proxyEnv: { HTTPS_PROXY: proxy.href } })
    : new HttpAgent({ proxyEnv: { HTTP_PROXY: proxy.href } });
  const request = (isSecret ? requestHttps : requestHttp)(url, {
    method,
    headers: { ...Object.fromEntries(headers), 'accept-encoding': 'gzip' },
    agent,
    signal,
  });
  request.end(body === null ? undefined : Buffer.from(body));
  // An answer whose end is that of its connection would seem to be whole where it is only given up.
  return toResponse(addAbortSignal(signal, await answerOf(request, { signal })));
}

const BODILESS = [204, 205, 304];

function toResponse(incoming: IncomingMessage): Response {
  const { statusCode: status = 502, statusMessage: statusText, headersDistinct } = incoming;
  const headers = Object.entries(headersDistinct).flatMap(([name, values]) =>
    (values ?? []).map((value): [string, string] => [name, value]),
  );
  if (BODILESS.includes(status)) {
    incoming.resume();
    return new Response(null, { status, statusText, headers });
  }
  const body = incoming.headers['content-encoding'] === 'gzip' ? unpack(incoming) : incoming;
  return new Response(Readable.toWeb(body) as ReadableStream<Uint8Array>, { status, statusText, headers });
}

function unpack(incoming: IncomingMessage): Readable {
  const gunzip = createGunzip();
  // Whoever reads hears of either's end.
  incoming.on('error', (error) => void gunzip.destroy(error));
  return incoming.pipe(gunzip);
}

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: unknown;
}

type Answer = { status?: number; body: unknown; headers?: Record<string, string> };

/** Something that answers like the platform, and remembers what it was asked. */
export async function startPlatformDouble(answers: Record<string, Answer | (() => Answer)>) {
  const received: Received[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    received.push({ path: request.url!, headers: request.headers, body: bodyOf(request, body) });
    const answer = answers[request.url!]!;
    const { status = 200, body: said, headers } = typeof answer === 'function' ? answer() : answer;
    response.writeHead(status, headers).end(typeof said === 'string' ? said : JSON.stringify(said));
  };
  const server = createServer((request, response) => void respond(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, received, [Symbol.dispose]: () => server.close().closeAllConnections() };
}

function bodyOf({ headers }: IncomingMessage, sent: string): unknown {
  if (sent === '') return undefined;
  return headers['content-type']?.startsWith('application/json') ? (JSON.parse(sent) as unknown) : sent;
}

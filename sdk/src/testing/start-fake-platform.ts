import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Asked {
  path: string;
  headers: IncomingMessage['headers'];
  body: Record<string, unknown>;
}

export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  json: unknown;
}

/** Answers one path. What it gets is whole already; `raw` is for answers that are no JSON. */
export type Answers = Record<string, (asked: Asked, raw: ServerResponse) => Answer | null | Promise<Answer | null>>;

export interface FakePlatform extends AsyncDisposable {
  url: string;
  /** Everything that was asked, in order. */
  asked: Asked[];
  /** Only the calls of one path. */
  of(path: string): Asked[];
}

/** A platform that says what the test wants, over real connections. */
export async function startFakePlatform(answers: Answers): Promise<FakePlatform> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => void take(request, response));
  async function take(request: IncomingMessage, response: ServerResponse) {
    const path = request.url!.split('?')[0]!;
    const sent = await text(request);
    const body = (sent.startsWith('{') ? JSON.parse(sent) : {}) as Asked['body'];
    const call = { path, headers: request.headers, body };
    asked.push(call);
    const answer = await answers[path]?.(call, response);
    if (answer === null) return;
    const { status = 200, headers, json } = answer ?? refusal(404, 'NF002');
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(json));
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    of: (path) => asked.filter((each) => each.path === path),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function refusal(status: number, code: string, headers: Record<string, string> = {}): Answer {
  return { status, headers, json: { message: `refused with ${code}`, code } };
}

/** As the platform makes them, but for the signature. */
export function accessToken(name: string, livesForSeconds = 900): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = Buffer.from(JSON.stringify({ sid: name, iat: now, exp: now + livesForSeconds })).toString('base64url');
  return `e30.${claims}.${name}`;
}

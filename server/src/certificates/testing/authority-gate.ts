import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, request as ask } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Pebble } from './pebble.ts';

/** What is answered in the authority's place; null: it answers itself. */
export interface GateAnswer {
  status: number;
  headers?: Record<string, string>;
  problem: { type: string; detail: string; subproblems?: object[] };
}

/** Stands before pebble, to say what pebble never does: that a limit is reached, that it is out of order. */
export interface AuthorityGate extends AsyncDisposable {
  directoryUrl: string;
  /** Paths that were asked for, without what comes after the first part. */
  requests: string[];
  intercept(answer: ((path: string) => GateAnswer | null) | null): void;
  /** Told before each request is passed on. */
  before(look: ((path: string) => Promise<void>) | null): void;
}

/** It has pebble's own certificate, and is called by the same name: who asks signs the address it asks at. */
export async function startAuthorityGate(pebble: Pebble): Promise<AuthorityGate> {
  const ca = readFileSync(pebble.caFile, 'utf8');
  const { certificate, key } = pebble.identity;
  const target = new URL(pebble.directoryUrl);
  const requests: string[] = [];
  let answer: ((path: string) => GateAnswer | null) | null = null;
  let look: ((path: string) => Promise<void>) | null = null;
  const pass = (request: IncomingMessage, response: ServerResponse) => {
    const { method, headers, url: path } = request;
    const passed = ask(
      { host: target.hostname, port: target.port, path, method, headers, ca, agent: false },
      (from) => {
        response.writeHead(from.statusCode ?? 502, from.headers);
        from.pipe(response);
      },
    );
    passed.once('error', () => response.destroy());
    request.pipe(passed);
  };
  const server = createServer({ cert: certificate, key }, (request, response) => {
    const path = `/${(request.url ?? '/').split('/')[1]}`;
    requests.push(path);
    const given = answer?.(path);
    if (given) {
      request.resume();
      const type = `urn:ietf:params:acme:error:${given.problem.type}`;
      response.writeHead(given.status, { 'content-type': 'application/problem+json', ...given.headers });
      response.end(JSON.stringify({ ...given.problem, type }));
      return;
    }
    void (look?.(path) ?? Promise.resolve()).then(() => pass(request, response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    directoryUrl: `https://localhost:${(server.address() as AddressInfo).port}/dir`,
    requests,
    intercept: (next) => void (answer = next),
    before: (next) => void (look = next),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

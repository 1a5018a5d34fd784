import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { request as startRequest, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { silentLog } from '../../../lib/log.ts';
import { createFakeClock, type FakeClock } from '../../../testing/fake-clock.ts';
import type { ObjectStoreSubject } from '../../conformance.ts';
import type { PutAnswer, PutRequest } from '../../conformance-presigned.ts';
import { createLocalObjectStore } from '../local-object-store.ts';
import { createObjectServer, type ObjectServerOptions } from '../object-server.ts';

export interface LocalSubject extends ObjectStoreSubject {
  root: string;
  socketPath: string;
  clock: FakeClock;
}

const standingOf = () => Promise.resolve('open' as const);

/** A local object store and its server on a real socket. */
export async function openLocalSubject(
  options: Partial<Pick<ObjectServerOptions, 'limits' | 'standingOf' | 'readSpace'>> = {},
): Promise<LocalSubject> {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-objects-'));
  const [root, socketPath] = [join(folder, 'objects'), join(folder, 'objects.sock')];
  const signingKey = randomBytes(32);
  const clock = createFakeClock();
  const server = createObjectServer({ root, signingKey, clock, log: silentLog, standingOf, ...options });
  await server.listen(socketPath);
  return {
    root,
    socketPath,
    clock,
    objects: createLocalObjectStore({ root, signingKey, publicUrl: new URL('http://lilac.test') }),
    send: (address, request) => sendOver(socketPath, address, request),
    async [Symbol.asyncDispose]() {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function sendOver(
  socketPath: string,
  address: string,
  { method, headers, body }: PutRequest,
): Promise<PutAnswer> {
  // Not through URL: it would mend what a hostile client leaves broken.
  const path = address.replace(/^http:\/\/[^/]+/, '');
  const pieces = body === undefined ? [] : Buffer.isBuffer(body) ? [body] : body;
  const length = Buffer.isBuffer(body) ? { 'content-length': String(body.length) } : {};
  const request = startRequest({ socketPath, path, method, agent: false, headers: { ...headers, ...length } });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject);
  });
  for (const piece of pieces) request.write(piece);
  request.end();
  const answer = await answered;
  return { status: answer.statusCode ?? 0, body: await text(answer) };
}

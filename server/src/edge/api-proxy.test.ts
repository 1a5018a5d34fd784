import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SWITCHING_PROTOCOLS } from '../testing/listen-raw.ts';
import { createProxy } from './api-proxy.ts';
import type { ProxiedClient } from './proxied-client.ts';

const identity = { address: '203.0.113.5', protocol: 'http', host: 'lilac.example.org' } as const;

async function startApi(listener: RequestListener): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-proxy-'));
  const socketPath = join(folder, 'api.sock');
  const server = createServer(listener).listen(socketPath);
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return socketPath;
}

/** Where an answer would go, it is gone already. */
function createClient() {
  let isGone = false;
  let onOver: (() => void) | undefined;
  const client: ProxiedClient = {
    method: 'GET',
    rawHeaders: ['Host', 'lilac.example.org'],
    hasBody: false,
    isChunked: false,
    expectsContinue: false,
    body: Readable.from([]),
    isComplete: true,
    isAnswered: false,
    isServed: false,
    get isGone() {
      return isGone;
    },
    askForBody: () => {},
    answer: () => new PassThrough().destroy(),
    dropBody: () => {},
    onceOver: (listener) => (onOver = listener),
    offOver: () => {},
  };
  return { client, leave: () => (isGone = true), tell: () => onOver?.() };
}

describe('a client that has left', () => {
  it('before its request was sent: nothing is sent', async () => {
    let asked = 0;
    const socketPath = await startApi((_request, response) => void response.end(String(++asked)));
    const proxy = createProxy({ socketPath, holdMs: 1000 });
    const { client, leave } = createClient();
    leave();
    expect(await proxy.forward({ client, path: '/', identity })).toBe('abandoned');
    expect(asked).toBe(0);
    proxy.close();
  });

  it('just before the answer came, which nobody has heard of yet: the answer is dropped', async () => {
    const { client, leave, tell } = createClient();
    const socketPath = await startApi((request, response) => {
      leave();
      request.socket.once('close', tell);
      response.end('too late');
    });
    const proxy = createProxy({ socketPath, holdMs: 1000 });
    expect(await proxy.forward({ client, path: '/', identity })).toBe('abandoned');
    proxy.close();
  });
});

it('who answers with another protocol, which nobody asked for, has broken off', async () => {
  const socketPath = await startApi(({ socket }) => void socket.write(SWITCHING_PROTOCOLS));
  const proxy = createProxy({ socketPath, holdMs: 1000 });
  expect(await proxy.forward({ client: createClient().client, path: '/', identity })).toBe('broken');
  proxy.close();
});

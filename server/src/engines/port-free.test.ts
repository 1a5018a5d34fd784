import { createServer, type Server } from 'node:net';
import { describe, expect, it } from 'vitest';
import { freePort } from './conformance-subject.ts';
import { becomesFree, isPortFree } from './port-free.ts';

const listenAt = (port: number, host: string) =>
  new Promise<Server>((resolve) => {
    const server = createServer();
    server.listen({ port, host }, () => resolve(server));
  });

describe('a port', () => {
  it.each(['127.0.0.1', '0.0.0.0', '::', '::1'])('is free until somebody listens at %s', async (host) => {
    const port = await freePort();
    expect(await isPortFree(port)).toBe(true);
    const server = await listenAt(port, host);
    expect(await isPortFree(port)).toBe(false);
    server.close();
  });

  it('of somebody who is about to go is waited for, and not for ever', async () => {
    const port = await freePort();
    const server = await listenAt(port, '0.0.0.0');
    expect(await becomesFree(port, 50)).toBe(false);
    const free = becomesFree(port, 60_000);
    setImmediate(() => server.close());
    expect(await free).toBe(true);
  });
});

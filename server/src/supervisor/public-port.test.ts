import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openTlsPort } from './public-port.ts';
import { StartRefused } from './start-refused.ts';

const bind = '127.0.0.1';
const wished = (port: number | null, isPortRequired = false) => ({
  port: 1,
  bind,
  tls: { port, isPortRequired, hstsSeconds: null },
});

async function listen(): Promise<{ server: Server; port: number }> {
  const server = createServer().listen(0, bind);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { server, port: (server.address() as AddressInfo).port };
}

async function findFreePort(): Promise<number> {
  const { server, port } = await listen();
  server.close();
  await once(server, 'close');
  return port;
}

describe('the port for https', () => {
  it('is opened once for every edge', async () => {
    const port = await findFreePort();
    const opened = await openTlsPort(wished(port), 2, expect.unreachable);
    expect(opened).toMatchObject({ port, descriptors: [expect.any(Number), expect.any(Number)] });
    opened!.close();
  });

  it('is not opened where it is switched off', async () => {
    expect(await openTlsPort(wished(null), 1, expect.unreachable)).toBeNull();
  });

  it('may be taken where nobody has asked for it, which is told', async () => {
    const { port } = await listen();
    const told: string[] = [];
    expect(await openTlsPort(wished(port), 1, (reason) => told.push(reason))).toBeNull();
    expect(told).toEqual([expect.stringMatching(/in use by another program.*LILAC_TLS_PORT/)]);
  });

  it('must be free, and another than that for http, where somebody has', async () => {
    const { port } = await listen();
    await expect(openTlsPort(wished(port, true), 1, expect.unreachable)).rejects.toThrow(StartRefused);
    await expect(openTlsPort(wished(1, true), 1, expect.unreachable)).rejects.toThrow('LILAC_PORT and LILAC_TLS_PORT');
  });
});

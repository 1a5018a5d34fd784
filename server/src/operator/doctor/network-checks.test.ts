import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { pathsOf, readConfig } from '../../config.ts';
import { tryLock } from '../../lib/file-lock.ts';
import { judgeAppsDomain, lookAtPort } from './network-checks.ts';

const home = mkdtempSync(join(tmpdir(), 'lilac-doctor-'));
afterEach(() => rmSync(home, { recursive: true, force: true }));

const hostOn = (port: number) => ({
  config: readConfig({ LILAC_HOME: home, LILAC_PORT: String(port), LILAC_BIND: '127.0.0.1' }),
  environment: {},
});

async function listenOnAnyPort(body: string) {
  const hosts: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    hosts.push(request.headers.host);
    response.end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.close().closeAllConnections();
    await once(server, 'close');
  };
  return { port: (server.address() as AddressInfo).port, hosts, close };
}

describe('network.port', () => {
  it('fails when another program has it, and is fine when nobody has', async () => {
    const { port, close } = await listenOnAnyPort('');
    expect(await lookAtPort(hostOn(port))).toMatchObject({
      status: 'fail',
      found: `${port} is taken by another program`,
    });
    await close();
    expect(await lookAtPort(hostOn(port))).toMatchObject({ status: 'ok', found: `${port} is free` });
  });

  it("while the supervisor runs, is fine only when the platform's own host answers on it", async () => {
    const { port, hosts, close } = await listenOnAnyPort('{"status":"ok"}');
    const lockFile = pathsOf(hostOn(port).config).supervisorLock;
    mkdirSync(dirname(lockFile), { recursive: true });
    const release = tryLock(lockFile);
    expect(await lookAtPort(hostOn(port))).toMatchObject({ status: 'ok', found: `${port} answers` });
    expect(hosts).toEqual([`localhost:${port}`]);
    await close();
    expect(await lookAtPort(hostOn(port))).toMatchObject({
      status: 'fail',
      found: expect.stringContaining('ECONNREFUSED') as string,
    });
    release();
  });
});

describe('network.apps-domain', () => {
  it.each([
    ['localhost', ['127.0.0.1', '::1'], 'ok'],
    ['localhost', [], 'warn'],
    ['localhost', ['192.0.2.1'], 'warn'],
    ['apps.example.org', [], 'warn'],
    ['apps.example.org', ['192.0.2.1'], 'ok'],
  ])('%s that leads to %j: %s', (domain, addresses, status) => {
    expect(judgeAppsDomain(domain, addresses).status).toBe(status);
  });
});

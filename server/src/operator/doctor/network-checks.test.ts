import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startDnsServer } from '../../certificates/testing/dns-server.ts';
import { makeServerIdentity } from '../../certificates/testing/test-pki.ts';
import { pathsOf, readConfig } from '../../config.ts';
import { tryLock } from '../../lib/file-lock.ts';
import { askPlatform } from './ask-platform.ts';
import { judgeAppsDomain, lookAtAppsDomain, lookAtPort } from './network-checks.ts';

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

describe('the platform', () => {
  it('that sends everybody to https is asked there', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lilac-doctor-tls-'));
    const { certificateFile, keyFile } = await makeServerIdentity(folder);
    const [cert, key] = [readFileSync(certificateFile), readFileSync(keyFile)];
    rmSync(folder, { recursive: true });
    const hosts: (string | undefined)[] = [];
    const secure = createSecureServer({ cert, key }, (request, response) => {
      hosts.push(request.headers.host);
      response.end('{"status":"ok"}');
    }).listen(0, '127.0.0.1');
    const plain = createServer((_request, response) => {
      response.writeHead(308, { location: 'https://hub.example.org/' }).end();
    }).listen(0, '127.0.0.1');
    await Promise.all([once(secure, 'listening'), once(plain, 'listening')]);
    const [port, tlsPort] = [plain, secure].map((server) => (server.address() as AddressInfo).port);
    const config = readConfig({
      LILAC_PORT: String(port),
      LILAC_TLS_PORT: String(tlsPort),
      LILAC_BIND: '127.0.0.1',
      LILAC_PUBLIC_URL: 'https://hub.example.org',
    });
    expect(await askPlatform(config, '/api/health')).toMatchObject({ status: 200, body: '{"status":"ok"}' });
    expect(hosts).toEqual(['hub.example.org']);
    for (const server of [secure, plain]) server.close().closeAllConnections();
  });
});

describe('network.apps-domain', () => {
  it('is asked for where the settings say', async () => {
    await using dns = await startDnsServer();
    await dns.add({ type: 'A', name: 'an-app.apps.example.org', value: '192.0.2.7' });
    const config = readConfig({ LILAC_APPS_DOMAIN: 'apps.example.org', LILAC_DNS_SERVERS: dns.address });
    expect(await lookAtAppsDomain({ config })).toMatchObject({ found: 'an-app.apps.example.org → 192.0.2.7' });
  });

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

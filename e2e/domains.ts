import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { connect, type TLSSocket } from 'node:tls';
import {
  startDnsServer,
  type TestDnsRecord,
  type TestDnsServer,
} from '../server/src/certificates/testing/dns-server.ts';
import { startPebble, type Pebble } from '../server/src/certificates/testing/pebble.ts';
import { createAccount, type Account } from './acknowledged-writes.ts';
import { createDeployer, type Application, type Deployer } from './deploying.ts';
import { findFreePort, startPlatform, until, type Platform } from './platform.ts';

export const PLATFORM_HOST = 'lilac.test';
export const APPS_DOMAIN = 'apps.lilac.test';

/** A platform with a public name, a certificate authority and the DNS of the world, all on loopback. */
export interface DomainsWorld extends AsyncDisposable {
  platform: Platform;
  account: Account;
  deployer: Deployer;
  dns: TestDnsServer;
  pebble: Pebble;
  tlsPort: number;
}

export async function openDomainsWorld({
  validitySeconds,
  env = {},
}: { validitySeconds?: number; env?: Record<string, string> } = {}): Promise<DomainsWorld> {
  const [port, tlsPort] = [await findFreePort(), await findFreePort()];
  const dns = await startDnsServer([
    { type: 'A', name: PLATFORM_HOST, value: '127.0.0.1' },
    { type: 'A', name: `*.${APPS_DOMAIN}`, value: '127.0.0.1' },
  ]);
  const pebble = await startPebble({ httpPort: port, dnsServer: dns.address, validitySeconds });
  const platform = await startPlatform({
    port,
    env: {
      LILAC_TLS_PORT: String(tlsPort),
      LILAC_PUBLIC_URL: `https://${PLATFORM_HOST}:${tlsPort}`,
      LILAC_APPS_DOMAIN: APPS_DOMAIN,
      LILAC_PUBLIC_ADDRESSES: '127.0.0.1',
      LILAC_DNS_SERVERS: dns.address,
      LILAC_ACME_DIRECTORY: pebble.directoryUrl,
      LILAC_ACME_CA_FILE: pebble.caFile,
      LILAC_HSTS: '3600',
      LILAC_EDGE_PROCESSES: '2',
      LILAC_RATE_LIMIT: '1000000',
      ...env,
    },
  });
  const account = await createAccount(platform);
  return {
    platform,
    account,
    deployer: createDeployer(platform, account),
    dns,
    pebble,
    tlsPort,
    async [Symbol.asyncDispose]() {
      await platform[Symbol.asyncDispose]();
      await pebble[Symbol.asyncDispose]();
      await dns[Symbol.asyncDispose]();
    },
  };
}

/** An application that is served at its generated name. */
export async function publish({ deployer }: DomainsWorld, name: string): Promise<Application> {
  const application = await deployer.createFromFiles(name, { 'index.html': `<h1>${name}</h1>` });
  await deployer.healthy((await deployer.newest(application)).id);
  return application;
}

/** The records that lead a name to an application, as a person would create them who reads the answer. */
export function recordsFor({ url }: Application, name: string): TestDnsRecord[] {
  const target = new URL(url).hostname;
  return [
    { type: 'A', name: target, value: '127.0.0.1' },
    { type: 'CNAME', name, value: target },
  ];
}

type DomainCall = 'add-domain' | 'check-domain' | 'update-domain' | 'retry-domain' | 'remove-domain';

export function callDomain({ deployer }: DomainsWorld, name: DomainCall, { id }: Application, body: object = {}) {
  const { client, targetOrganisationId } = deployer;
  return client.call(`applications.${name}` as 'applications.check-domain', {
    body: { targetOrganisationId, applicationId: id, ...body },
  });
}

export function untilIssued(world: DomainsWorld, application: Application): Promise<void> {
  return until('the certificate is issued', async () => {
    const state = await callDomain(world, 'check-domain', application);
    return state.dns_verified && state.certificate_status === 'issued';
  });
}

export interface SecurePage {
  status: number;
  body: string;
  headers: IncomingMessage['headers'];
  serial: string;
}

export interface Asked {
  path?: string;
  /** What certificates must lead to; left out, what the authority of the world says. */
  ca?: string;
}

/** One request on a connection of its own, by a client that believes the authority and nobody else. */
export async function askSecurely(
  world: DomainsWorld,
  host: string,
  { path = '/', ca }: Asked = {},
): Promise<SecurePage> {
  const trusted = ca ?? (await world.pebble.root());
  return new Promise((resolve, reject) => {
    const headers = { host: `${host}:${world.tlsPort}` };
    const options = { host: '127.0.0.1', port: world.tlsPort, servername: host, ca: trusted, headers, path };
    const asked = request({ ...options, agent: false, timeout: 30_000 }, (response) => {
      const serial = (response.socket as TLSSocket).getPeerX509Certificate()!.serialNumber;
      text(response).then(
        (body) => resolve({ status: response.statusCode!, body, headers: response.headers, serial }),
        reject,
      );
    });
    asked
      .once('timeout', () => asked.destroy(new Error('no answer')))
      .once('error', reject)
      .end();
  });
}

/** The serial number that is served for a name; null when the handshake is refused. */
export async function servedSerial({ tlsPort }: DomainsWorld, servername: string, ca?: string): Promise<string | null> {
  const socket = connect({ host: '127.0.0.1', port: tlsPort, servername, ca, rejectUnauthorized: ca !== undefined });
  try {
    await once(socket, 'secureConnect');
    return socket.getPeerX509Certificate()!.serialNumber;
  } catch {
    return null;
  } finally {
    socket.destroy();
  }
}

import { startDnsServer, type TestDnsServer } from '../server/src/certificates/testing/dns-server.ts';
import { createAccount } from './acknowledged-writes.ts';
import { createDeployer, visit, type Application } from './deploying.ts';
import { findFreePort, startPlatform, until, type Platform } from './platform.ts';
import { ANY_INSPECTOR_PORT } from './process-memory.ts';
import { serverApp } from './server-app.ts';

export interface Target {
  port: number;
  tlsPort: number;
  /** What each name of the corpus is really called. */
  hosts: Record<CorpusHost, string>;
}

/** A site, a server, a site that asks for a password, and one with a name of its own. */
export const corpusHosts = ['site.localhost', 'server.localhost', 'locked.localhost', 'www.example.org'] as const;
export type CorpusHost = (typeof corpusHosts)[number];

/** To everybody whom the edge answers for. */
export const everyHost = ({ hosts }: Target) => ['localhost', ...Object.values(hosts)];

/** A platform with one edge, which has all that an edge answers for. */
export interface EdgeWorld extends AsyncDisposable {
  platform: Platform;
  target: Target;
  /** What each of its addresses answers with, one after the other. */
  statuses(): Promise<number[]>;
}

const OWN_NAME = 'www.example.org';

export async function openEdgeWorld(): Promise<EdgeWorld> {
  const tlsPort = await findFreePort();
  const dns = await startDnsServer();
  const platform = await startPlatform({
    env: {
      ...ANY_INSPECTOR_PORT,
      LILAC_TLS_PORT: String(tlsPort),
      LILAC_EDGE_PROCESSES: '1',
      LILAC_RATE_LIMIT: '100000000',
      LILAC_PUBLIC_ADDRESSES: '127.0.0.1',
      LILAC_DNS_SERVERS: dns.address,
    },
  });
  const end = async () => {
    await platform[Symbol.asyncDispose]();
    await dns[Symbol.asyncDispose]();
  };
  try {
    const hosts = await deployAll(platform, dns);
    return {
      platform,
      target: { port: platform.port, tlsPort, hosts },
      async statuses() {
        const { url } = platform;
        const pages = Object.values(hosts).map((host) => visit(url, '/', { host }));
        return (await Promise.all([visit(url, '/api/health'), ...pages])).map(({ status }) => status);
      },
      [Symbol.asyncDispose]: end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

async function deployAll(platform: Platform, dns: TestDnsServer): Promise<Record<CorpusHost, string>> {
  const deployer = createDeployer(platform, await createAccount(platform));
  const { client, targetOrganisationId } = deployer;
  const page = { 'index.html': 'home' };
  const site = await deployer.createFromFiles('Site', page);
  const locked = await deployer.createFromFiles('Locked', page);
  const named = await deployer.createFromFiles('Named', page);
  const server = await deployer.createFromFiles('Server', serverApp('hello'), { deploymentType: 'container' });
  for (const application of [site, locked, named, server]) {
    await deployer.healthy((await deployer.newest(application)).id);
  }
  const { environmentId } = locked;
  const secret = { enabled: true, password: 'the pass phrase' };
  await client.call('environments.password', { body: { targetOrganisationId, environmentId, ...secret } });
  // One that sleeps would be another test.
  const awake = { environmentId: server.environmentId, minInstances: 1 };
  await client.call('environments.scale', { body: { targetOrganisationId, ...awake } });
  await giveOwnName(named);

  async function giveOwnName({ environmentId, url }: Application): Promise<void> {
    const generated = new URL(url).hostname;
    await dns.set([
      { type: 'A', name: generated, value: '127.0.0.1' },
      { type: 'CNAME', name: OWN_NAME, value: generated },
    ]);
    const named = { targetOrganisationId, environmentId };
    await client.call('environments.add-domain', { body: { ...named, domain: OWN_NAME } });
    await until('its own name leads to it', async () => {
      const { dns_verified } = await client.call('environments.check-domain', { body: named });
      return dns_verified && (await visit(platform.url, '/', { host: OWN_NAME })).status !== 404;
    });
  }

  return {
    'site.localhost': hostOf(site),
    'server.localhost': hostOf(server),
    'locked.localhost': hostOf(locked),
    [OWN_NAME]: OWN_NAME,
  };
}

const hostOf = ({ url }: Application): string => new URL(url).hostname;

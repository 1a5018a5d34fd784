import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { pathsOf, type Config } from '../../config.ts';
import { createDnsLookup } from '../../dns/create-dns-lookup.ts';
import { isHeld } from '../is-held.ts';
import { askPlatform } from './ask-platform.ts';
import { fail, ok, warn, type CheckedHost, type CheckFamily, type Finding } from './check.ts';
import { runsElsewhere } from './read-roles.ts';

export const networkChecks: CheckFamily = {
  title: 'Network',
  checks: [
    // Whether the port should be free or answer depends on whether the server runs, which the home tells.
    { id: 'network.port', title: 'Public port', needsHome: () => true, look: lookAtPort },
    { id: 'network.apps-domain', title: 'Apps domain', look: lookAtAppsDomain },
  ],
};

export async function lookAtPort({ config }: CheckedHost): Promise<Finding> {
  const { port, bind } = config;
  if (isHeld(pathsOf(config).supervisorLock)) {
    return runsElsewhere(config, 'edge')
      ? ok(`${port} is not open here: no edge runs on this host`)
      : lookAtOwnPort(config);
  }
  const error = await tryToListen(port, bind);
  if (!error) return ok(`${port} is free`);
  if (error.code === 'EADDRINUSE') {
    return fail(
      `${port} is taken by another program`,
      `Stop it ("ss -ltnp sport = :${port}" names it), or set LILAC_PORT.`,
    );
  }
  if (error.code === 'EACCES') {
    return fail(`${port} is not allowed to this user`, 'Choose a LILAC_PORT above 1023, or put a proxy in front.');
  }
  return fail(`${port} on ${bind} cannot be opened: ${error.message}`, 'Check LILAC_PORT and LILAC_BIND.');
}

/** The edge runs: then the port must be ours, and answer. */
async function lookAtOwnPort(config: Config): Promise<Finding> {
  const { port } = config;
  try {
    const { status, body } = await askPlatform(config, '/api/health');
    if (status === 200 && body.includes('"ok"')) return ok(`${port} answers`);
    return fail(`${port} answers with status ${status}`, 'Look at the log of the api and the edge.');
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
    return fail(`${port} does not answer (${reason})`, 'Look at the log of the edge, or restart the server.');
  }
}

async function tryToListen(port: number, host: string): Promise<NodeJS.ErrnoException | null> {
  const server = createServer();
  try {
    server.listen({ port, host, exclusive: true });
    await once(server, 'listening');
    return null;
  } catch (error) {
    return error as NodeJS.ErrnoException;
  } finally {
    server.close();
  }
}

export async function lookAtAppsDomain({ config }: Pick<CheckedHost, 'config'>): Promise<Finding> {
  const name = `an-app.${config.appsDomain}`;
  return judgeAppsDomain(config.appsDomain, await addressesOf(config, name).catch(() => []));
}

/** By whom the platform asks for everything else. */
async function addressesOf({ domains: { dnsServers } }: Config, name: string): Promise<string[]> {
  if (dnsServers !== null && !isLocal(name)) return createDnsLookup({ servers: dnsServers }).addresses(name);
  return (await lookup(name, { all: true })).map(({ address }) => address);
}

const isLocal = (name: string): boolean => name === 'localhost' || name.endsWith('.localhost');

export function judgeAppsDomain(domain: string, addresses: readonly string[]): Finding {
  const found = `an-app.${domain} → ${addresses.join(', ') || 'nothing'}`;
  if (isLocal(domain) && addresses.length === 0) {
    return warn(
      found,
      'Browsers and curl know it anyway. For other programs install libnss-myhostname, or set LILAC_APPS_DOMAIN.',
    );
  }
  if (isLocal(domain) && !addresses.every(isLoopback))
    return warn(found, 'It should lead to this machine (127.0.0.1).');
  if (addresses.length === 0) {
    return warn(found, `Add a wildcard record to your DNS: *.${domain} with this machine's address.`);
  }
  return ok(found);
}

function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1';
}

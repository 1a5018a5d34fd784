import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Config } from '../../config.ts';
import { Fault } from '../../lib/fault.ts';
import { isInRanges, isPrivateAddress } from './private-address.ts';

export type Resolve = (hostname: string) => Promise<string[]>;

export interface AdmittedHost {
  /** What git may speak. */
  protocols: 'https' | 'http:https';
  /** `host:port:address`: git connects there and asks no name server again. Null: as the system resolves it. */
  pin: string | null;
}

export interface AdmitDeps {
  config: Pick<Config, 'vcsUrls' | 'vcsTrusted' | 'vcsPrivateAddresses'>;
  /** Whether a proxy makes the connection: it then also resolves the name. */
  isProxied: (url: URL) => boolean;
  resolve?: Resolve;
}

/**
 * Decides where git may connect. A host that the operator named may be anywhere. Any other, also one that
 * is only a default, must speak https and be at a public address; the address that was looked at is the
 * one git is held to, so that a name server which answers differently the second time changes nothing.
 */
export async function admitHost(
  { config, isProxied, resolve = resolveName }: AdmitDeps,
  text: string,
): Promise<AdmittedHost> {
  const url = URL.parse(text);
  if (!url || url.username || url.password) throw new Fault('VA003', 'This is not the address of a repository.');
  if (config.vcsTrusted.some((provider) => config.vcsUrls[provider].origin === url.origin)) {
    return { protocols: url.protocol === 'http:' ? 'http:https' : 'https', pin: null };
  }
  if (url.protocol !== 'https:')
    throw new Fault('VA003', `${url.protocol}// is not allowed for ${url.host}: use https://.`);
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const addresses = isIP(hostname) ? [hostname] : await resolve(hostname).catch(() => []);
  const [first] = addresses;
  if (first === undefined) {
    if (isProxied(url)) return { protocols: 'https', pin: null };
    throw new Fault('VA003', `The host ${hostname} cannot be found: its name does not resolve.`);
  }
  const refused = addresses.find((address) => !isAllowed(config, address));
  if (refused !== undefined)
    throw new Fault(
      'VA003',
      `${url.host} is at a private address, where repositories are not allowed. ` +
        'The operator of the platform can allow it by LILAC_VCS_PRIVATE_ADDRESSES.',
    );
  return { protocols: 'https', pin: `${hostname}:${url.port || '443'}:${bracketed(first)}` };
}

function isAllowed({ vcsPrivateAddresses }: AdmitDeps['config'], address: string): boolean {
  return !isPrivateAddress(address) || isInRanges(vcsPrivateAddresses, address);
}

async function resolveName(hostname: string): Promise<string[]> {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
}

const bracketed = (address: string) => (isIP(address) === 6 ? `[${address}]` : address);

import { BlockList, isIP } from 'node:net';
import { ConfigError } from '../config.ts';

/** Says of an address whether it is one of the proxies in front of us. */
export type IsTrusted = (address: string) => boolean;

export function trustedProxies(list: readonly string[]): IsTrusted {
  const trusted = new BlockList();
  for (const entry of list) addEntry(trusted, entry);
  return (address) => isIP(address) !== 0 && trusted.check(address, familyOf(address));
}

/**
 * Who the client is. The socket's other end, unless that is a trusted proxy: then the right-most
 * address in X-Forwarded-For that is not one, since everything left of it may be made up.
 */
export function clientAddress(socketAddress: string, forwardedFor: string | undefined, isTrusted: IsTrusted): string {
  let client = plainAddress(socketAddress);
  const reported = (forwardedFor ?? '').split(',').toReversed();
  for (const entry of reported) {
    if (!isTrusted(client)) break;
    const address = parseEntry(entry);
    if (!address) break;
    client = address;
  }
  return client;
}

/** An IPv4 client on an IPv6 socket appears as ::ffff:192.0.2.1. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '').replace(/%.*$/, '');
}

/** Some proxies add the port. */
function parseEntry(entry: string): string | null {
  const text = entry.trim();
  const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  const address = plainAddress(bare);
  return isIP(address) ? address : null;
}

function addEntry(trusted: BlockList, entry: string): void {
  const [address = '', prefix] = entry.split('/');
  const bits = Number(prefix);
  const isValid =
    isIP(address) && (prefix === undefined || (/^\d+$/.test(prefix) && bits <= (isIP(address) === 4 ? 32 : 128)));
  if (!isValid) {
    throw new ConfigError(`LILAC_TRUSTED_PROXIES holds "${entry}"; write addresses or ranges such as 10.0.0.0/8.`);
  }
  if (prefix === undefined) trusted.addAddress(address, familyOf(address));
  else trusted.addSubnet(address, bits, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

import { BlockList, isIP, isIPv6 } from 'node:net';
import type { Config } from '../../config.ts';
import { DnsUnavailable, type DnsLookup } from '../../dns/dns-lookup.ts';

const KEPT_MS = 60_000;

/** Those the operator has named, or else what the host of the public URL resolves to. None where nobody knows. */
export function createPlatformAddresses({
  config: { publicUrl, domains },
  dns,
}: {
  config: Pick<Config, 'publicUrl' | 'domains'>;
  dns: Pick<DnsLookup, 'addresses'>;
}): () => Promise<readonly string[]> {
  if (domains.publicAddresses) return () => Promise.resolve(domains.publicAddresses!);
  const host = publicUrl.hostname.replaceAll(/^\[|\]$/g, '');
  if (isIP(host)) return () => Promise.resolve([host]);
  if (host === 'localhost' || host.endsWith('.localhost')) return () => Promise.resolve([]);
  let kept: { addresses: Promise<readonly string[]>; until: number } | undefined;
  return () => {
    if (!kept || kept.until < performance.now()) {
      kept = { addresses: readAddresses(dns, host), until: performance.now() + KEPT_MS };
    }
    return kept.addresses;
  };
}

async function readAddresses(dns: Pick<DnsLookup, 'addresses'>, host: string): Promise<readonly string[]> {
  try {
    return await dns.addresses(host);
  } catch (error) {
    if (error instanceof DnsUnavailable) return [];
    throw error;
  }
}

/** Whether an address is among these, however it is written. */
export function isAmong(addresses: readonly string[], address: string): boolean {
  const list = new BlockList();
  for (const each of addresses) list.addAddress(each, isIPv6(each) ? 'ipv6' : 'ipv4');
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

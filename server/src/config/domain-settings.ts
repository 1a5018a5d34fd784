import { readAddress, readDnsServer, readList, readPath } from './read-values.ts';
import type { Setting } from './setting.ts';
import type { ReadSetting } from './settings.ts';

export const domainSettings = [
  {
    name: 'LILAC_PUBLIC_ADDRESSES',
    default: 'what the host of LILAC_PUBLIC_URL resolves to',
    summary:
      'The addresses by which the world reaches this platform, separated by commas: for the A and AAAA records of ' +
      'custom domains.',
  },
  {
    name: 'LILAC_DNS_SERVERS',
    default: "the system's own",
    summary:
      'DNS servers that are asked for the records of custom domains, separated by commas: `9.9.9.9,192.0.2.1:5353`.',
  },
  {
    name: 'LILAC_DNS_HOOK',
    default: '',
    summary:
      'A program that creates and removes TXT records, called as `<program> set|remove <name> <value>`. With it come ' +
      'certificates for `*.<LILAC_APPS_DOMAIN>` and for wildcards of custom domains.',
  },
] as const satisfies readonly Setting[];

export interface DomainSettings {
  /** Null: what the host of the public URL resolves to. */
  publicAddresses: readonly string[] | null;
  /** Null: the system's own. */
  dnsServers: readonly string[] | null;
  /** The program that creates TXT records; null: there is none. */
  dnsHook: string | null;
}

export function readDomainSettings(read: ReadSetting): DomainSettings {
  const [addresses, servers] = [readList(read('LILAC_PUBLIC_ADDRESSES')), readList(read('LILAC_DNS_SERVERS'))];
  return {
    publicAddresses: addresses.length === 0 ? null : addresses.map(readAddress),
    dnsServers: servers.length === 0 ? null : servers.map(readDnsServer),
    dnsHook: readPath(read('LILAC_DNS_HOOK')),
  };
}

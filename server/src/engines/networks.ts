import { BlockList, isIP } from 'node:net';

/** `203.0.113.0/24` as its parts; an address alone is a network of one. */
function partsOf(network: string): { base: string; bits: number; family: 'ipv4' | 'ipv6' } {
  const [base = '', bits] = network.split('/');
  const family = isIP(base) === 6 ? 'ipv6' : 'ipv4';
  return { base, bits: bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family };
}

export function asNetwork(network: string): string {
  const { base, bits } = partsOf(network);
  return `${base}/${bits}`;
}

export const bitsOf = (network: string): number => partsOf(network).bits;

export function networkContains(network: string, address: string): boolean {
  const { base, bits, family } = partsOf(network);
  if (isIP(address) === 0 || partsOf(address).family !== family) return false;
  const list = new BlockList();
  list.addSubnet(base, bits, family);
  return list.check(address, family);
}

/** Whether all of `inner` lies within `outer`. */
export function networkCovers(outer: string, inner: string): boolean {
  const { base, bits } = partsOf(inner);
  return bits >= bitsOf(outer) && networkContains(outer, base);
}

const LOOPBACK = ['127.0.0.0/8', '::1/128'];

export const isLoopback = (address: string): boolean => LOOPBACK.some((network) => networkContains(network, address));

/** What of the networks lies on this machine's loopback, where nobody listens in. */
export function loopbackPartOf(networks: readonly string[]): string[] {
  const parts = LOOPBACK.flatMap((loopback) =>
    networks.flatMap((network) => {
      if (networkCovers(network, loopback)) return [loopback];
      return networkCovers(loopback, network) ? [asNetwork(network)] : [];
    }),
  );
  return [...new Set(parts)];
}

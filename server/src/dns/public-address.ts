import { BlockList, isIP, isIPv6 } from 'node:net';

/** Of networks that are not the world's: within a machine, a house, a provider; or nobody's. */
const NOT_PUBLIC: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
  ['::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['fc00::', 7],
  ['fe80::', 9],
  ['ff00::', 8],
];

const notPublic = new BlockList();
for (const [network, prefix] of NOT_PUBLIC) notPublic.addSubnet(network, prefix, isIPv6(network) ? 'ipv6' : 'ipv4');

/** Whether the world may know of it, and be asked at it. Those for examples in books tell nothing of anybody. */
export function isPublicAddress(address: string): boolean {
  const four = fourWithin(address);
  if (four !== null) return !notPublic.check(four, 'ipv4');
  return isIP(address) === 6 && !notPublic.check(address, 'ipv6');
}

/** An address of the old kind, also where one of the new kind stands for it (mapped, or translated on its way). */
function fourWithin(address: string): string | null {
  if (isIP(address) === 4) return address;
  if (!isIPv6(address)) return null;
  const host = URL.parse(`http://[${address}]`)?.hostname ?? '';
  const [, high, low] = /^\[(?:::ffff|64:ff9b:):([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(host) ?? [];
  if (high === undefined || low === undefined) return null;
  const [first, second] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [first >> 8, first & 255, second >> 8, second & 255].join('.');
}

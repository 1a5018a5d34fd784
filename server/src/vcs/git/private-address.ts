import { BlockList, isIP } from 'node:net';

/** Addresses that no public host has: this machine's, its networks', and those with a special meaning. */
const RANGES = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];

const privateRanges = toBlockList(RANGES);

/** Also true for what is no address at all. An IPv4 address that is dressed as IPv6 is judged as IPv4. */
export function isPrivateAddress(address: string): boolean {
  return contains(privateRanges, address) ?? true;
}

/** Whether one of the ranges (`10.0.0.0/8`, `fd00::1`) holds the address. */
export function isInRanges(ranges: readonly string[], address: string): boolean {
  return ranges.length > 0 && (contains(toBlockList(ranges), address) ?? false);
}

function contains(list: BlockList, address: string): boolean | null {
  const plain = address.replace(/%.*$/, '');
  const family = isIP(plain);
  if (family === 0) return null;
  return list.check(plain, family === 4 ? 'ipv4' : 'ipv6');
}

function toBlockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIP(address);
    if (family === 0) continue;
    const most = family === 4 ? 32 : 128;
    const prefix = bits === undefined ? most : Number(bits);
    if (Number.isInteger(prefix) && prefix >= 0 && prefix <= most) {
      list.addSubnet(address, prefix, family === 4 ? 'ipv4' : 'ipv6');
    }
  }
  return list;
}

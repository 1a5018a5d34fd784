import { BlockList, isIP } from 'node:net';

/** Where clouds tell a machine its own secrets: link-local, and what Alibaba, Azure and Oracle chose. */
export const CLOUD_METADATA: readonly string[] = [
  '169.254.0.0/16',
  '100.100.100.200',
  // Alone of these it lies among the world's addresses.
  '168.63.129.16',
  '192.0.0.192',
];

/** Of networks that are not the world's: within a machine, a house, a provider; of special meaning; or nobody's. */
export const NOT_PUBLIC: readonly string[] = [
  ...CLOUD_METADATA,
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/96',
  // All of IPv4 as translators write it among themselves.
  '::ffff:0:0:0/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2002::/16',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];

/** For examples in books: nobody has them. */
export const EXAMPLES: readonly string[] = [
  '192.0.2.0/24',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '2001:db8::/32',
  '3fff::/20',
];

/** Ranges (`10.0.0.0/8`) and single addresses (`fd00::1`); what is neither is left out. */
export function toBlockList(ranges: readonly string[]): BlockList {
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

/** Null for what is no address. An IPv4 address that is dressed as IPv6 is judged as IPv4. */
export function holdsAddress(list: BlockList, address: string): boolean | null {
  const plain = address.replace(/%.*$/, '');
  const family = isIP(plain);
  return family === 0 ? null : list.check(plain, family === 4 ? 'ipv4' : 'ipv6');
}

import { BlockList } from 'node:net';
import { networkInterfaces } from 'node:os';

export interface OwnAddress {
  address: string;
  family: string;
  internal: boolean;
}

/**
 * Who listens at every address tells others the one that it has in the range that they all share, or else the first one
 * that leads here from outside: that may be a bridge of this machine's own.
 */
export function addressForOthers(
  host: string,
  range: string | null,
  own: () => readonly OwnAddress[] = ownAddresses,
): string {
  if (host !== '0.0.0.0' && host !== '::') return host;
  const outer = own().filter(({ internal, address }) => !internal && !address.startsWith('fe80:'));
  const ofIpv4 = outer.filter(({ family }) => family === 'IPv4');
  const found = ofIpv4.find(({ address }) => range !== null && isIn(range, address)) ?? ofIpv4[0] ?? outer[0];
  return found?.address ?? '127.0.0.1';
}

/** All that this machine has, each once: those within it alone and of its cables left out, whatever they hang on. */
export function outerAddresses(own: () => readonly OwnAddress[] = ownAddresses): string[] {
  const found = own().map(({ address }) => address);
  return [...new Set(found)].filter((address) => !/^(127\.|::1$|fe80:)/i.test(address)).toSorted();
}

function isIn(range: string, address: string): boolean {
  const [first = '', bits] = range.split('/');
  const list = new BlockList();
  list.addSubnet(first, Number(bits), 'ipv4');
  return list.check(address);
}

function ownAddresses(): OwnAddress[] {
  return Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
}

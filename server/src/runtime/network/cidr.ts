/** All of `10.213.36.16/28`; itself, where it is one address. */
export function addressesOf(network: string): string[] {
  const { first, size } = parseCidr(network);
  return Array.from({ length: size }, (_, index) => formatAddress(first + index));
}

export function doOverlap(one: string, other: string): boolean {
  const [a, b] = [parseCidr(one), parseCidr(other)];
  return a.first < b.first + b.size && b.first < a.first + a.size;
}

export const isInNetwork = (address: string, network: string): boolean => doOverlap(address, network);

/** All networks of this size that lie in the network. */
export function* partsOf(network: string, prefix: number): Generator<string> {
  const { first, size } = parseCidr(network);
  const step = 2 ** (32 - prefix);
  for (let address = first; address < first + size; address += step) yield `${formatAddress(address)}/${prefix}`;
}

export const prefixOf = (network: string): number => Number(network.split('/')[1] ?? 32);

function parseCidr(network: string): { first: number; size: number } {
  const size = 2 ** (32 - prefixOf(network));
  const address = parseAddress(network.split('/')[0] ?? '');
  return { first: Math.floor(address / size) * size, size };
}

export const isAddress = (network: string): boolean => /^\d+\.\d+\.\d+\.\d+(\/\d+)?$/.test(network);

export function parseAddress(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

export function formatAddress(address: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.');
}

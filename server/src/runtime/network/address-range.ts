import { formatAddress, parseAddress } from './cidr.ts';

/** The part of the instances' subnet that one installation has: 1024 addresses, the first for the host. */
export interface AddressRange {
  /** `10.213.36`, the first three numbers. */
  start: string;
}

export const RANGE_PREFIX = 22;
const RANGE_SIZE = 1024;
const THIRD_NUMBERS = RANGE_SIZE / 256;
/** How many a bridge bears, and the range holds, are a few more. */
export const SLOT_COUNT = 1000;

/** The 64 parts of a subnet (`10.213`), beginning with the one that the id points to. */
export function rangesOf(subnet: string, id: string): AddressRange[] {
  const count = 256 / THIRD_NUMBERS;
  const first = Number.parseInt(id.slice(0, 6), 16) % count;
  return Array.from({ length: count }, (_, index) => ({
    start: `${subnet}.${((first + index) % count) * THIRD_NUMBERS}`,
  }));
}

export function isRangeOf(range: AddressRange, subnet: string): boolean {
  return range.start.startsWith(`${subnet}.`);
}

export const hostAddress = (range: AddressRange): string => formatAddress(parseAddress(`${range.start}.0`) + 1);
export const slotAddress = (range: AddressRange, slot: number): string =>
  formatAddress(parseAddress(`${range.start}.0`) + 1 + slot);
export const rangeCidr = (range: AddressRange): string => `${range.start}.0/${RANGE_PREFIX}`;

/** Derived from the address, so that a place made anew is not looked for at its old one. */
export function macOf(address: string): string {
  const numbers = address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'));
  return ['02', '4c', ...numbers].join(':');
}

/**
 * Whether somebody else's network (`10.213.36.0/24`, `10.213.36.7`) lies in the range. Networks wider than a
 * whole subnet do not count: a route for all of 10.0.0.0/8 says nothing about who is there.
 */
export function overlaps(range: AddressRange, network: string): boolean {
  const [address = '', prefixText = '32'] = network.split('/');
  const prefix = Number(prefixText);
  if (!/^\d+\.\d+\.\d+\.\d+$/.test(address) || prefix < 16) return false;
  const [theirs, ours] = [parseAddress(address), parseAddress(`${range.start}.0`)];
  const size = Math.max(2 ** (32 - prefix), RANGE_SIZE);
  return Math.floor(theirs / size) === Math.floor(ours / size);
}

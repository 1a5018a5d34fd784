import { EXAMPLES, holdsAddress, NOT_PUBLIC, toBlockList } from '../../lib/address-ranges.ts';

/** Also those that stand for addresses of the old kind: what is behind a translator we cannot tell. */
const privateRanges = toBlockList([...NOT_PUBLIC, ...EXAMPLES, '64:ff9b::/96']);

/**
 * Whether no public host has it: this machine's, its networks', one with a special meaning. Also true for what is no
 * address at all.
 */
export function isPrivateAddress(address: string): boolean {
  return holdsAddress(privateRanges, address) ?? true;
}

/** Whether one of the ranges (`10.0.0.0/8`, `fd00::1`) holds the address. */
export function isInRanges(ranges: readonly string[], address: string): boolean {
  return ranges.length > 0 && (holdsAddress(toBlockList(ranges), address) ?? false);
}

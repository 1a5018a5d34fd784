import { isIP, isIPv6 } from 'node:net';
import { holdsAddress, NOT_PUBLIC, toBlockList } from '../lib/address-ranges.ts';

const notPublic = toBlockList(NOT_PUBLIC);

/** Whether the world may know of it, and be asked at it. Those for examples in books tell nothing of anybody. */
export function isPublicAddress(address: string): boolean {
  return isIP(address) !== 0 && holdsAddress(notPublic, fourWithin(address) ?? address) === false;
}

/** An address of the old kind, where one of the new kind stands for it (mapped, or translated on its way). */
function fourWithin(address: string): string | null {
  if (!isIPv6(address)) return null;
  const host = URL.parse(`http://[${address}]`)?.hostname ?? '';
  const [, high, low] = /^\[(?:::ffff|64:ff9b:):([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(host) ?? [];
  if (high === undefined || low === undefined) return null;
  const [first, second] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [first >> 8, first & 255, second >> 8, second & 255].join('.');
}

import { isIPv4, isIPv6 } from 'node:net';

/** An address as certificates hold it; null when it is none. */
export function addressBytes(address: string): Buffer | null {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  if (!isIPv6(address) || address.includes('%')) return null;
  // The URL parser writes the last four bytes as two groups, however they came.
  const plain = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [before = '', after] = plain.split('::');
  const [first, last] = [groupsOf(before), groupsOf(after ?? '')];
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => 0);
  return Buffer.from([...first, ...zeros, ...last].flatMap((group) => [group >> 8, group & 0xff]));
}

const groupsOf = (text: string): number[] => (text === '' ? [] : text.split(':').map((group) => parseInt(group, 16)));

import { isIP } from 'node:net';

/** The network that an address is in: 203.0.113.7 with 24 bits is 203.0.113.0. */
export function clearHostPart(address: string, bits: number): string {
  return isIP(address) === 4
    ? clear(address.split('.').map(Number), { bits, width: 8 }).join('.')
    : clearGroups(address, bits);
}

function clearGroups(address: string, bits: number): string {
  // A URL writes every address in one form: hexadecimal groups, zeros left out once.
  const [head = '', tail] = canonical(address).split('::');
  const [first, last] = [groupsOf(head), groupsOf(tail ?? '')];
  const zeros = Array<number>(8 - first.length - last.length).fill(0);
  const cleared = clear([...first, ...zeros, ...last], { bits, width: 16 });
  return canonical(cleared.map((group) => group.toString(16)).join(':'));
}

const canonical = (address: string): string => new URL(`http://[${address}]`).hostname.slice(1, -1);
const groupsOf = (text: string): number[] => (text === '' ? [] : text.split(':').map((group) => parseInt(group, 16)));

function clear(parts: readonly number[], { bits, width }: { bits: number; width: number }): number[] {
  return parts.map((part, at) => {
    const kept = Math.min(width, Math.max(0, bits - at * width));
    return part & ~(2 ** (width - kept) - 1);
  });
}

import { isIP, SocketAddress } from 'node:net';
import { EngineRefused } from '../engine.ts';
import { bitsOf, networkCovers } from '../networks.ts';
import type { AccessRule } from '../access-rules.ts';

/** How somebody may come from the addresses of an account. */
export type Admission = 'anyhow' | 'encrypted' | 'nobody';

/** The owner has one account for each network: `'app'@'203.000.113.000/255.255.255.000'`. */
export interface OwnerAccount {
  host: string;
  admission: Admission;
}

/** What comes through the socket, and only that: names are not resolved. */
export const SOCKET_HOST = 'localhost';

const EVERY_4 = '0.0.0.0/0';
const EVERY_6 = '::/0';
const EVERYWHERE = '%';

/**
 * The accounts that let in whom the rules let in. `kept` are hosts of accounts that stay for another reason; they are
 * given what the rules say of their addresses.
 *
 * An address may belong to several accounts, and the server takes the first one in its order: hosts without wildcards
 * come first, among them the one whose text is greater. Written with all digits, that is the smaller network of two
 * of which one lies in the other; and what the rules say of the smallest one is what they say of the address.
 */
export function accountsFor(rules: readonly AccessRule[], kept: readonly string[] = []): OwnerAccount[] {
  const networks = [...new Set(rules.map(({ network }) => network))];
  const everyNetwork = [EVERY_4, EVERY_6];
  const isEverywhere = everyNetwork.every((network) => networks.includes(network));
  const hosts = networks.filter((network) => !isEverywhere || !everyNetwork.includes(network)).map(hostOf);
  const wanted = new Set([...hosts, ...(isEverywhere ? [EVERYWHERE] : []), ...kept]);
  return [...wanted].map((host) => ({ host, admission: admissionOf(rules, host) }));
}

function admissionOf(rules: readonly AccessRule[], host: string): Admission {
  if (host === SOCKET_HOST) return 'anyhow';
  if (host === EVERYWHERE) {
    const [one, other] = [admissionOfNetwork(rules, EVERY_4), admissionOfNetwork(rules, EVERY_6)];
    return one === other ? one : 'nobody';
  }
  const network = networkOf(host);
  return network === null ? 'nobody' : admissionOfNetwork(rules, network);
}

function admissionOfNetwork(rules: readonly AccessRule[], network: string): Admission {
  const admits = (isEncrypted: boolean) =>
    rules.find((rule) => (isEncrypted || !rule.encrypted) && networkCovers(rule.network, network))?.admits ?? false;
  if (admits(false)) return 'anyhow';
  return admits(true) ? 'encrypted' : 'nobody';
}

/** The host of an account for that network. Rejects what MariaDB has no host for. */
export function hostOf(network: string): string {
  if (network === EVERY_4) return '%.%';
  if (network === EVERY_6) return '%:%';
  const [base = ''] = network.split('/');
  return isIP(base) === 6 ? hostOfSix(network, base) : hostOfFour(base, bitsOf(network));
}

function hostOfFour(base: string, bits: number): string {
  const mask = [0, 1, 2, 3].map((byte) => 256 - 2 ** (8 - Math.min(8, Math.max(0, bits - byte * 8))));
  const address = base.split('.').map((part, index) => Number(part) & (mask[index] ?? 0));
  return `${padded(address)}/${padded(mask)}`;
}

const padded = (bytes: readonly number[]): string => bytes.map((byte) => String(byte).padStart(3, '0')).join('.');

const GROUP_BITS = 16;
const GROUPS = 8;

/**
 * Masks are for IPv4 only. Of IPv6 MariaDB compares the text, in which one run of zeros is left out: a beginning tells
 * a network from others only where none can be left out of it.
 */
function hostOfSix(network: string, base: string): string {
  const { address } = new SocketAddress({ address: base, family: 'ipv6' });
  if (address.includes('.')) throw new EngineRefused(refusal(network));
  const bits = bitsOf(network);
  if (bits === GROUPS * GROUP_BITS) return address;
  const beginning = groupsOf(address).slice(0, bits / GROUP_BITS);
  const hidesZeros = beginning.at(-1) === '0' || /(^|:)0:0(:|$)/.test(beginning.join(':'));
  if (bits % GROUP_BITS !== 0 || hidesZeros) throw new EngineRefused(refusal(network));
  return `${beginning.join(':')}:%`;
}

const refusal = (network: string): string =>
  `MySQL databases cannot be limited to the network ${network}. Of IPv6 they know single addresses, ::/0, and networks ` +
  'of 16, 32, 48 or 64 bits whose last number is not zero, like 2001:db8:12:34::/64.';

function groupsOf(address: string): string[] {
  const [before = [], after = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array.from({ length: GROUPS - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after];
}

/** The network that a host made here stands for; null for none. */
export function networkOf(host: string): string | null {
  if (host === '%.%') return EVERY_4;
  if (host === '%:%') return EVERY_6;
  if (isIP(host) === 6) return `${host}/128`;
  if (host.endsWith(':%')) {
    const beginning = host.slice(0, -2);
    return `${beginning}::/${beginning.split(':').length * GROUP_BITS}`;
  }
  const [address = [], mask = []] = host.split('/').map((part) => part.split('.').map(Number));
  if (mask.length !== 4) return null;
  const bits = mask.reduce((sum, byte) => sum + Math.log2(256 / (256 - byte)), 0);
  return `${address.join('.')}/${bits}`;
}

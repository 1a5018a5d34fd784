import { isIPv4 } from 'node:net';
import { NOT_PUBLIC } from '../../../lib/address-ranges.ts';
import { CONTROL_PORT, PROGRAM_HOPS, PROGRAM_PORT, type Reach } from './agreement.ts';

export interface Rules extends Reach {
  /** Where the program really listens. */
  port: number;
  /** The machine that the task is on, as the task sees it; null where what comes from there may be anybody's. */
  gateway: string | null;
  nameServers: readonly string[];
}

/**
 * What a machine itself sends may pass 64 machines or more, so that a task tells by what is left whether an edge calls
 * or a program that goes by its machine's address.
 */
const LEFT_OF_MACHINES = 52;

const NOWHERE: NonNullable<Reach['edges']> = { addresses: [], ports: [] };

/** For `nft`. Root is the first process alone: it fetches what the program runs on, wherever that lies. */
export function firewallRules({ port, gateway, nameServers, cluster, edges = NOWHERE, host, doors }: Rules): string {
  const sources = [...cluster, ...(gateway ? [gateway] : [])];
  const ports = [...new Set([CONTROL_PORT, port])].join(', ');
  const servers = nameServers.filter((address) => isIPv4(address));
  const databases = compact([host, ...edges.addresses]);
  // Where no program has anything to do: what is not the world's, and all else of the cluster and its edges.
  const closed = setOf(compact([...NOT_PUBLIC, ...cluster, ...edges.addresses]));
  return `table inet lilac {}
delete table inet lilac
table inet lilac {
  chain turned {
    type nat hook prerouting priority dstnat;
    meta nfproto ipv4 tcp dport ${PROGRAM_PORT} redirect to :${port}
  }
  chain arriving {
    type filter hook input priority filter; policy drop;
    iifname "lo" accept
    ct state established,related accept
    ${sources.length > 0 ? `ip saddr ${setOf(compact(sources))} ip ttl >= ${LEFT_OF_MACHINES} tcp dport { ${ports} } accept` : ''}
    meta nfproto ipv4 meta l4proto icmp accept
  }
  chain numbered {
    type filter hook output priority mangle;
    meta skuid != 0 ip ttl set ${PROGRAM_HOPS}
  }
  chain leaving {
    type filter hook output priority filter; policy drop;
    meta skuid != 0 tcp dport ${CONTROL_PORT} oifname "lo" reject with tcp reset
    oifname "lo" accept
    ct state established,related accept
    meta skuid 0 accept
    ${servers.length > 0 ? `ip daddr ${setOf(servers)} meta l4proto { tcp, udp } th dport 53 accept` : ''}
    ${doors.length > 0 ? `ip daddr ${setOf(databases)} tcp dport { ${doors.join(', ')} } accept` : ''}
    ${edges.addresses.length > 0 ? `ip daddr ${setOf(compact(edges.addresses))} tcp dport { ${edges.ports.join(', ')} } accept` : ''}
    ip daddr ${closed} meta l4proto tcp reject with tcp reset
    ip daddr ${closed} reject
    meta nfproto ipv4 accept
    reject
  }
}
`;
}

const setOf = (addresses: readonly string[]): string => `{ ${addresses.join(', ')} }`;

/** A set takes no address that another of its ranges has. IPv6 is left out: nothing of it is let through at all. */
function compact(ranges: readonly string[]): string[] {
  const parsed = [...new Set(ranges)].flatMap((text) => parse(text) ?? []).toSorted((a, b) => a.bits - b.bits);
  const kept: Range[] = [];
  for (const range of parsed) if (!kept.some((wider) => contains(wider, range))) kept.push(range);
  return kept.map(({ text }) => text);
}

interface Range {
  text: string;
  first: number;
  bits: number;
}

function parse(text: string): Range | null {
  const [address = '', bits = '32'] = text.split('/');
  if (!isIPv4(address)) return null;
  const number = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  return { text, first: number, bits: Number(bits) };
}

const contains = (wider: Range, range: Range): boolean =>
  wider.bits <= range.bits &&
  Math.floor(wider.first / 2 ** (32 - wider.bits)) === Math.floor(range.first / 2 ** (32 - wider.bits));

import { addressesOf } from '../cidr.ts';
import type { HostTools } from '../host-tools.ts';
import { BUILD_UIDS, type Firewall, type FirewallDoors, type FirewallPolicy } from './firewall.ts';

const tableName = (id: string): string => `lilac_${id}`;

export function createNftables(tools: HostTools): Firewall {
  return {
    name: 'nftables',
    async apply(policy) {
      await tools.run(['nft', '-f', '-'], nftRules(policy));
    },
    async setDoors({ id, doors }) {
      const table = tableName(id);
      const lines = doorSets(doors).flatMap(({ name, elements }) => [
        `flush set inet ${table} ${name}`,
        ...(elements.length > 0 ? [`add element inet ${table} ${name} ${set(elements)}`] : []),
      ]);
      await tools.run(['nft', '-f', '-'], `${lines.join('\n')}\n`);
    },
    async markBuilds(id, hops) {
      await tools.run(['nft', '-f', '-'], markRules(id, hops));
    },
    async remove(id) {
      // Made before it is deleted: so it is no error when it is not there.
      await tools.run(['nft', '-f', '-'], forget(tableName(id)));
    },
    async obstacles() {
      return foreignDrops(await tools.run(['nft', '-j', 'list', 'chains']));
    },
  };
}

const forget = (table: string): string => `table inet ${table}\ndelete table inet ${table}\n`;

/** One table, replaced in one transaction: there is no moment without rules. */
function nftRules(policy: FirewallPolicy): string {
  const table = tableName(policy.id);
  const chains = [
    chain('input', 'filter hook input priority filter - 5', inputRules(policy)),
    chain('forward', 'filter hook forward priority filter - 5', forwardRules(policy)),
    chain('output', 'filter hook output priority filter - 5', outputRules(policy)),
    chain('outwards', 'nat hook postrouting priority srcnat', [
      `ip saddr ${policy.range} oifname != "${policy.bridge}" masquerade`,
    ]),
  ];
  const sets = doorSets(policy.doors).map(
    ({ name, type, elements }) =>
      `set ${name} {\n  type ${type};\n${elements.length > 0 ? `  elements = ${set(elements)}\n` : ''}}\n`,
  );
  return `${forget(table)}table inet ${table} {\n${sets.join('')}${chains.join('')}}\n`;
}

/** Never to more than they have: what is meant for the nearest only stays there. */
function markRules(id: string, hops: number): string {
  const table = tableName(id);
  const rule = `${ownedBy(BUILD_UIDS)} ip ttl > ${hops} ip ttl set ${hops}`;
  return `${forget(table)}table inet ${table} {\n${chain('hops', 'filter hook output priority mangle', [rule])}}\n`;
}

/** Sets, so that one instance more or less does not need all the rules anew. */
function doorSets({ openPorts, guardedPorts, pairs, privatePorts }: FirewallDoors) {
  const PORT = 'inet_service';
  return [
    { name: 'open_doors', type: PORT, elements: openPorts },
    { name: 'guarded_doors', type: PORT, elements: guardedPorts },
    { name: 'private_doors', type: PORT, elements: privatePorts },
    {
      name: 'guests',
      type: `ipv4_addr . ${PORT}`,
      // Older kernels know no networks in such sets.
      elements: pairs.flatMap(({ address, port }) => addressesOf(address).map((each) => `${each} . ${port}`)),
    },
  ];
}

function chain(name: string, hook: string, rules: readonly string[]): string {
  const lines = [`type ${hook}; policy accept;`, ...rules];
  return `chain ${name} {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`;
}

function inputRules({ bridge, openPorts, nameServers }: FirewallPolicy): string[] {
  return [
    `iifname != "lo" iifname != "${bridge}" tcp dport @private_doors drop`,
    `iifname != "${bridge}" accept`,
    'meta nfproto ipv6 drop',
    'ip saddr . tcp dport @guests accept',
    // A reset finds no way back to who came by a port that leads here.
    'ct state new tcp dport @guarded_doors reject',
    // Also of what is established: who is no guest any more is cut off.
    'tcp dport @guarded_doors reject with tcp reset',
    'ct state established,related accept',
    `tcp dport ${set(openPorts)} accept`,
    'tcp dport @open_doors accept',
    ...openResolvers(nameServers),
    'reject',
  ];
}

function forwardRules(policy: FirewallPolicy): string[] {
  const { bridge, openPorts, nameServers, closedNetworks, closedInterfaces } = policy;
  return [
    `oifname "${bridge}" ct state established,related accept`,
    `oifname "${bridge}" drop`,
    `iifname != "${bridge}" accept`,
    'meta nfproto ipv6 drop',
    'ct state established,related accept',
    ...openResolvers(nameServers),
    // The host's own ports may lead into containers; those are the host's services all the same.
    `ct status dnat meta l4proto tcp ct original proto-dst ${set(openPorts)} accept`,
    'ct status dnat reject',
    ...closedInterfaces.map((start) => `oifname "${start}*" reject`),
    `ip daddr ${set(closedNetworks)} reject`,
  ];
}

function outputRules({ bridge, closedUids }: FirewallPolicy): string[] {
  const builds = ownedBy(closedUids);
  return [`oifname "${bridge}" ${builds} reject`, `oifname "lo" ${builds} tcp dport @private_doors reject`];
}

const ownedBy = ({ first, last }: FirewallPolicy['closedUids']): string => `meta skuid ${first}-${last}`;

function openResolvers(servers: readonly string[]): string[] {
  return servers.length === 0 ? [] : [`ip daddr ${set(servers)} meta l4proto { tcp, udp } th dport 53 accept`];
}

const set = (members: readonly (string | number)[]): string => `{ ${members.join(', ')} }`;

interface ChainEntry {
  chain?: { family: string; table: string; name: string; hook?: string; policy?: string };
}

/** Whatever our table accepts, another one may still drop; only its owner can change that. */
function foreignDrops(answer: string): string[] {
  const { nftables } = JSON.parse(answer) as { nftables: ChainEntry[] };
  const chains = nftables.flatMap(({ chain }) => (chain ? [chain] : []));
  return chains
    .filter(({ hook, policy, table }) => hook === 'forward' && policy === 'drop' && !table.startsWith('lilac_'))
    .map(
      ({ family, table, name }) =>
        `The firewall of this machine (nftables: ${family} ${table} ${name}) drops what it is not told to forward: ` +
        `instances may not reach the internet. Let it accept what comes in on interfaces named lilac-*.`,
    );
}

import { NetworkFailure, type HostTools } from '../host-tools.ts';
import { BUILD_UIDS, type Firewall, type FirewallPolicy } from './firewall.ts';

/**
 * Chains of our own, called first by the built-in ones. Where Docker or ufw made "drop" the rule for
 * forwarding, only an acceptance in the same place is heard; a table of nftables could not overrule it.
 */
export function createIptables(tools: HostTools): Firewall {
  return {
    name: 'iptables',
    async apply(policy) {
      await tools.run(['iptables-restore', '--wait', '--noflush'], iptablesRules(policy));
      for (const call of callsOf(policy.id)) await callFirst(tools, call);
      // Docker puts its own rules before everybody's, whenever it starts, and this chain before its own.
      if (policy.isBehindDocker && (await hasDockerChain(tools))) await callFirst(tools, dockerCall(policy.id));
    },
    async setDoors(policy) {
      const { doors, privateDoors } = chainsOf(policy.id);
      // Emptied, not declared: where they are no more, neither is the rest, and this must fail.
      const lines = ['*filter', `-F ${doors}`, `-F ${privateDoors}`, ...doorRules(inTheirWords(policy)), 'COMMIT', ''];
      await tools.run(['iptables-restore', '--wait', '--noflush'], lines.join('\n'));
    },
    async markBuilds(id, hops) {
      await tools.run(['iptables-restore', '--wait', '--noflush'], markRules(id, hops));
      await callFirst(tools, markCall(id));
    },
    async remove(id) {
      const { doors, privateDoors } = chainsOf(id);
      for (const call of [dockerCall(id), markCall(id), ...callsOf(id)]) await removeCall(tools, call);
      for (const chain of [doors, privateDoors]) await removeChain(tools, 'filter', chain);
    },
    obstacles: async () => [],
  };
}

interface Call {
  table: 'filter' | 'nat' | 'mangle';
  from: string;
  chain: string;
}

const chainsOf = (id: string) => ({
  input: `LILAC-${id}-IN`,
  forward: `LILAC-${id}-FWD`,
  output: `LILAC-${id}-OUT`,
  outwards: `LILAC-${id}-NAT`,
  hops: `LILAC-${id}-HOPS`,
  doors: `LILAC-${id}-DB`,
  privateDoors: `LILAC-${id}-DBOUT`,
});

function callsOf(id: string): Call[] {
  const chains = chainsOf(id);
  return [
    { table: 'nat', from: 'POSTROUTING', chain: chains.outwards },
    { table: 'filter', from: 'OUTPUT', chain: chains.output },
    { table: 'filter', from: 'INPUT', chain: chains.input },
    { table: 'filter', from: 'FORWARD', chain: chains.forward },
  ];
}

const markCall = (id: string): Call => ({ table: 'mangle', from: 'OUTPUT', chain: chainsOf(id).hops });

const DOCKER_CHAIN = 'DOCKER-USER';
const dockerCall = (id: string): Call => ({ table: 'filter', from: DOCKER_CHAIN, chain: chainsOf(id).forward });
const hasDockerChain = (tools: HostTools): Promise<boolean> => succeeds(tools, ['-t', 'filter', '-S', DOCKER_CHAIN]);

/** For `iptables-restore --noflush`: naming a chain of our own empties it, and all take force together. */
function iptablesRules(given: FirewallPolicy): string {
  const policy = inTheirWords(given);
  const chains = chainsOf(policy.id);
  const filters = [
    ...inputRules(policy).map((rule) => `-A ${chains.input} ${rule}`),
    ...forwardRules(policy).map((rule) => `-A ${chains.forward} ${rule}`),
    ...outputRules(policy).map((rule) => `-A ${chains.output} ${rule}`),
    ...doorRules(policy),
  ];
  return [
    '*filter',
    // Those that the others call must be there when they are named.
    ...declare([chains.doors, chains.privateDoors, chains.input, chains.forward, chains.output]),
    ...filters,
    'COMMIT',
    '*nat',
    ...declare([chains.outwards]),
    `-A ${chains.outwards} -s ${policy.range} ! -o ${policy.bridge} -j MASQUERADE`,
    'COMMIT',
    '',
  ].join('\n');
}

/** Never to more than they have: what is meant for the nearest only stays there. */
function markRules(id: string, hops: number): string {
  const { hops: chain } = chainsOf(id);
  const rule = `-A ${chain} ${ownedBy(BUILD_UIDS)} -m ttl --ttl-gt ${hops} -j TTL --ttl-set ${hops}`;
  return ['*mangle', ...declare([chain]), rule, 'COMMIT', ''].join('\n');
}

const declare = (names: readonly string[]): string[] => names.map((name) => `:${name} - [0:0]`);

const ownedBy = ({ first, last }: FirewallPolicy['closedUids']): string => `-m owner --uid-owner ${first}-${last}`;

const ESTABLISHED = '-m conntrack --ctstate ESTABLISHED,RELATED -j ACCEPT';

/** iptables has another sign for names that only begin so. */
const inTheirWords = (policy: FirewallPolicy): FirewallPolicy => ({
  ...policy,
  bridge: policy.bridge.replace(/\*$/, '+'),
});

/** In chains of their own, which are filled anew without the others. */
function doorRules({ id, bridge, closedUids, doors }: FirewallPolicy): string[] {
  const chains = chainsOf(id);
  const inwards = [
    ...doors.privatePorts.map((port) => `! -i ${bridge} -p tcp --dport ${port} -j DROP`),
    `! -i ${bridge} -j RETURN`,
    ...doors.pairs.map(({ address, port }) => `-s ${address} -p tcp --dport ${port} -j ACCEPT`),
    // A reset finds no way back to who came by a port that leads here.
    ...doors.guardedPorts.map((port) => `-p tcp --dport ${port} -m conntrack --ctstate NEW -j REJECT`),
    // Also of what is established: who is no guest any more is cut off.
    ...doors.guardedPorts.map((port) => `-p tcp --dport ${port} -j REJECT --reject-with tcp-reset`),
    ...doors.openPorts.map((port) => `-p tcp --dport ${port} -j ACCEPT`),
  ];
  const outwards = doors.privatePorts.map((port) => `-o lo -p tcp --dport ${port} ${ownedBy(closedUids)} -j REJECT`);
  return [
    ...inwards.map((rule) => `-A ${chains.doors} ${rule}`),
    ...outwards.map((rule) => `-A ${chains.privateDoors} ${rule}`),
  ];
}

function inputRules({ id, bridge, openPorts, nameServers }: FirewallPolicy): string[] {
  return [
    '-i lo -j RETURN',
    `-j ${chainsOf(id).doors}`,
    `! -i ${bridge} -j RETURN`,
    ESTABLISHED,
    ...openPorts.map((port) => `-p tcp --dport ${port} -j ACCEPT`),
    ...openResolvers(nameServers),
    '-j REJECT',
  ];
}

function forwardRules(policy: FirewallPolicy): string[] {
  const { bridge, openPorts, nameServers, closedNetworks, closedInterfaces } = policy;
  return [
    `-o ${bridge} ${ESTABLISHED}`,
    `-o ${bridge} -j DROP`,
    `! -i ${bridge} -j RETURN`,
    ESTABLISHED,
    ...openResolvers(nameServers),
    ...openPorts.map((port) => `-p tcp -m conntrack --ctstate DNAT --ctorigdstport ${port} -j ACCEPT`),
    // The host's own ports may lead into containers; those are the host's services all the same.
    '-m conntrack --ctstate DNAT -j REJECT',
    ...closedInterfaces.map((start) => `-o ${start}+ -j REJECT`),
    ...closedNetworks.map((network) => `-d ${network} -j REJECT`),
    '-j ACCEPT',
  ];
}

function outputRules({ id, bridge, closedUids }: FirewallPolicy): string[] {
  return [`-o ${bridge} ${ownedBy(closedUids)} -j REJECT`, `-j ${chainsOf(id).privateDoors}`];
}

function openResolvers(servers: readonly string[]): string[] {
  return servers.flatMap((server) => ['udp', 'tcp'].map((kind) => `-d ${server} -p ${kind} --dport 53 -j ACCEPT`));
}

async function callFirst(tools: HostTools, { table, from, chain }: Call): Promise<void> {
  const isCalled = await succeeds(tools, ['-t', table, '-C', from, '-j', chain]);
  if (!isCalled) await tools.run(['iptables', '--wait', '-t', table, '-I', from, '1', '-j', chain]);
}

async function removeCall(tools: HostTools, { table, from, chain }: Call): Promise<void> {
  while (await succeeds(tools, ['-t', table, '-D', from, '-j', chain]));
  await removeChain(tools, table, chain);
}

async function removeChain(tools: HostTools, table: string, chain: string): Promise<void> {
  await succeeds(tools, ['-t', table, '-F', chain]);
  await succeeds(tools, ['-t', table, '-X', chain]);
}

async function succeeds(tools: HostTools, words: readonly string[]): Promise<boolean> {
  try {
    await tools.run(['iptables', '--wait', ...words]);
    return true;
  } catch (error) {
    if (error instanceof NetworkFailure) return false;
    throw error;
  }
}

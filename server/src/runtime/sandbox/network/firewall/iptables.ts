import { NetworkFailure, type HostTools } from '../host-tools.ts';
import type { Firewall, FirewallPolicy } from './firewall.ts';

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
    },
    async remove(id) {
      for (const call of callsOf(id)) await removeCall(tools, call);
    },
    obstacles: async () => [],
  };
}

interface Call {
  table: 'filter' | 'nat';
  from: string;
  chain: string;
}

const chainsOf = (id: string) => ({
  input: `LILAC-${id}-IN`,
  forward: `LILAC-${id}-FWD`,
  output: `LILAC-${id}-OUT`,
  outwards: `LILAC-${id}-NAT`,
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

/** For `iptables-restore --noflush`: naming a chain of our own empties it, and all take force together. */
export function iptablesRules(policy: FirewallPolicy): string {
  const chains = chainsOf(policy.id);
  const filters = [
    ...inputRules(policy).map((rule) => `-A ${chains.input} ${rule}`),
    ...forwardRules(policy).map((rule) => `-A ${chains.forward} ${rule}`),
    ...outputRules(policy).map((rule) => `-A ${chains.output} ${rule}`),
  ];
  return [
    '*filter',
    ...declare([chains.input, chains.forward, chains.output]),
    ...filters,
    'COMMIT',
    '*nat',
    ...declare([chains.outwards]),
    `-A ${chains.outwards} -s ${policy.range} ! -o ${policy.bridge} -j MASQUERADE`,
    'COMMIT',
    '',
  ].join('\n');
}

const declare = (names: readonly string[]): string[] => names.map((name) => `:${name} - [0:0]`);

const ESTABLISHED = '-m conntrack --ctstate ESTABLISHED,RELATED -j ACCEPT';

function inputRules({ bridge, openPorts, nameServers }: FirewallPolicy): string[] {
  return [
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

function outputRules({ bridge, closedUids }: FirewallPolicy): string[] {
  return [`-o ${bridge} -m owner --uid-owner ${closedUids.first}-${closedUids.last} -j REJECT`];
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

import { expect, it } from 'vitest';
import { holdsAddress, toBlockList } from '../../../lib/address-ranges.ts';
import type { HostTools } from '../host-tools.ts';
import { METADATA_ADDRESSES } from '../testing/metadata-addresses.ts';
import { policyOf, type Firewall, type FirewallPolicy } from './firewall.ts';
import { createIptables } from './iptables.ts';
import { createNftables } from './nftables.ts';

const NFTABLES = { make: createNftables, readForwarding: forwardingOfNftables };
const IPTABLES = { make: createIptables, readForwarding: forwardingOfIptables };

it.each([
  { written: 'nftables, for networks of our own', firewall: NFTABLES, dockerBridges: undefined },
  { written: 'nftables, for networks of Docker', firewall: NFTABLES, dockerBridges: 'lc1' },
  { written: 'iptables, for networks of our own', firewall: IPTABLES, dockerBridges: undefined },
  { written: 'iptables, for networks of Docker', firewall: IPTABLES, dockerBridges: 'lc1' },
])('every address of cloud metadata is refused in the rules of $written', async ({ firewall, dockerBridges }) => {
  const policy = policyFor(dockerBridges);
  const refused = refusedIn(firewall.readForwarding(await writtenBy(firewall.make, policy)));
  expect(refused).toEqual(policy.closedNetworks);
  const list = toBlockList(refused);
  expect(METADATA_ADDRESSES.filter((address) => !holdsAddress(list, address))).toEqual([]);
});

function policyFor(dockerBridges: string | undefined): FirewallPolicy {
  const policy = policyOf({
    id: 'test',
    range: { start: '10.213.36' },
    config: { port: 7080, tls: { port: null }, publicUrl: new URL('http://localhost:7080') },
    nameServers: ['192.0.2.53'],
    uplinks: [],
    ...(dockerBridges !== undefined && { dockerBridges }),
  });
  return { ...policy, doors: { openPorts: [], guardedPorts: [], pairs: [], privatePorts: [] } };
}

/** What the firewall's program is given to read. */
async function writtenBy(make: (tools: HostTools) => Firewall, policy: FirewallPolicy): Promise<string> {
  const inputs: string[] = [];
  const run: HostTools['run'] = async (_argv, input = '') => (inputs.push(input), '');
  await make({ run } as HostTools).apply(policy);
  return inputs.join('\n');
}

function forwardingOfNftables(text: string): string[] {
  const [, body = ''] = /^chain forward \{\n(.*?)^\}$/ms.exec(text) ?? [];
  return body.split('\n').map((line) => line.trim());
}

/** As far as the rule that lets through whatever is left. */
function forwardingOfIptables(text: string): string[] {
  const rules = [...text.matchAll(/^-A LILAC-test-FWD (.*)$/gm)].map((match) => match[1]!);
  expect(rules).toContain('-j ACCEPT');
  return rules.slice(0, rules.indexOf('-j ACCEPT'));
}

/** By nothing but where it goes. */
function refusedIn(rules: readonly string[]): string[] {
  return rules.flatMap((rule) => {
    const [, several, one] = /^(?:ip daddr \{ (.+) \} reject|-d (\S+) -j REJECT)$/.exec(rule) ?? [];
    return several?.split(', ') ?? one ?? [];
  });
}

import { existsSync, readdirSync } from 'node:fs';
import { identify } from '../../lib/process-identity.ts';
import { rangesOf } from './address-range.ts';
import { ensureBridge } from './bridge.ts';
import { policyOf, type Firewall, type FirewallDoors } from './firewall/firewall.ts';
import { firewallMakers, NO_FIREWALL, type FirewallMaker } from './firewall/firewall-makers.ts';
import { isInstalled, NAMESPACES, NetworkFailure, NOT_ROOT, type HostTools } from './host-tools.ts';
import { bridgeName } from './names.ts';

export type NetworkAbilities = { firewalls: readonly [Firewall, ...Firewall[]] } | { reason: string };

/** Tries what this machine really allows, in a namespace that is thrown away: that a program is there says little. */
export async function probeNetworks(tools: HostTools): Promise<NetworkAbilities> {
  if (process.getuid?.() !== 0) return { reason: NOT_ROOT };
  const missing = ['ip', 'nsenter'].filter((name) => !isInstalled(name));
  if (missing.length > 0) return { reason: `Not installed: ${missing.join(', ')}.` };
  const makers = firewallMakers();
  if (makers.length === 0) return { reason: NO_FIREWALL };
  try {
    return await probeInNamespace(tools, makers);
  } catch (error) {
    if (error instanceof NetworkFailure) return { reason: `The system refuses (${error.message}).` };
    throw error;
  }
}

const PROBE = 'lilac-probe-';
let probeCount = 0;

async function probeInNamespace(tools: HostTools, makers: readonly FirewallMaker[]): Promise<NetworkAbilities> {
  await removeAbandonedProbes(tools);
  probeCount += 1;
  const namespace = `${PROBE}${process.pid}-${probeCount}`;
  await tools.run(['ip', 'netns', 'add', namespace]);
  try {
    const inside = tools.within(namespace);
    await tryBridge(inside);
    const { working, problems } = await tryFirewalls(inside, makers);
    const [first, ...others] = working.map((make) => make(tools));
    return first ? { firewalls: [first, ...others] } : { reason: `No firewall works here (${problems.join('; ')}).` };
  } finally {
    await tools.run(['ip', 'netns', 'delete', namespace]);
  }
}

const PROBE_ID = 'probe';
const PROBE_RANGE = rangesOf('10.213', '000000')[0]!;

async function tryBridge(inside: HostTools): Promise<void> {
  await ensureBridge(inside, PROBE_ID, PROBE_RANGE);
  await inside.ipBatch([
    'link add probe0 type veth peer name probe1',
    `link set probe0 master ${bridgeName(PROBE_ID)}`,
    'link set probe0 type bridge_slave isolated on',
  ]);
}

/** One of each kind: the kernel may lack what only they need. */
const PROBE_DOORS: FirewallDoors = {
  openPorts: [1],
  guardedPorts: [2],
  pairs: [{ address: '10.213.0.2', port: 2 }],
  privatePorts: [2],
};

async function tryFirewalls(inside: HostTools, makers: readonly FirewallMaker[]) {
  const policy = policyOf({
    id: PROBE_ID,
    range: PROBE_RANGE,
    config: { port: 7080, tls: { port: null }, publicUrl: new URL('http://localhost:7080') },
    nameServers: ['192.0.2.53'],
    uplinks: [],
  });
  const working: FirewallMaker[] = [];
  const problems: string[] = [];
  for (const make of makers) {
    try {
      await make(inside).apply({ ...policy, doors: PROBE_DOORS });
      working.push(make);
    } catch (error) {
      if (!(error instanceof NetworkFailure)) throw error;
      problems.push(error.message);
    }
  }
  return { working, problems };
}

/** Of processes that were killed while they tried. */
async function removeAbandonedProbes(tools: HostTools): Promise<void> {
  const names = existsSync(NAMESPACES) ? readdirSync(NAMESPACES) : [];
  for (const name of names) {
    const pid = new RegExp(`^${PROBE}(\\d+)-\\d+$`).exec(name)?.[1];
    if (pid && !identify(Number(pid))) await tools.run(['ip', 'netns', 'delete', name]).catch(() => undefined);
  }
}

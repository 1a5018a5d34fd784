import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeInstanceNetwork, type InstanceNetwork } from '../instance-network-file.ts';
import { hostAddress, isRangeOf, type AddressRange } from '../network/address-range.ts';
import { ensureBridge, findUplink, switchForwardingOn } from '../network/bridge.ts';
import { policyOf } from '../network/firewall/firewall.ts';
import { findRange, isRangeOfAnother, noteRange, withRegistry } from '../network/installation.ts';
import { dockerBridges } from '../network/names.ts';
import type { SiteDeps } from '../network/prepare-site.ts';

/** Networks are the engine's to keep. */
export type DockerSiteDeps = Omit<SiteDeps, 'records'>;

/** What the networks of environments have in common. */
export interface DockerSite {
  range: AddressRange;
  /** As the way outwards bears it. */
  mtu: number;
  network: InstanceNetwork;
}

/**
 * An address of this machine that all instances find it at, whatever network they are in, and the rules that hold
 * for all networks. May be repeated at any time, and sets right what is not: Docker writes its own rules anew when it
 * starts.
 */
export async function prepareDockerSite(deps: DockerSiteDeps): Promise<DockerSite> {
  const { config, tools, id, registry, folder, log } = deps;
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  return withRegistry(registry, async () => {
    const range = await chooseRange(deps);
    noteRange(registry, id, { home: config.home, range });
    writeFileSync(rangePath(folder), JSON.stringify(range));
    const uplink = await findUplink(tools);
    await holdRules(deps, range, uplink.names);
    // Alone, without the range: the networks behind it are Docker's.
    await ensureBridge(tools, id, range, 32);
    if (!(await switchForwardingOn(tools))) log.warn('instances cannot reach the internet: net.ipv4.ip_forward is off');
    const network = { range: `${config.instances.subnet}.0.0/16`, hostAddress: hostAddress(range) };
    writeInstanceNetwork(config, network);
    return { range, mtu: uplink.mtu, network };
  });
}

/** Kept, so that the address stays: who has been given it would have to be started anew. */
async function chooseRange({ config, tools, id, registry, folder }: DockerSiteDeps): Promise<AddressRange> {
  const { subnet } = config.instances;
  const recorded = readRange(folder);
  const isOurs = recorded && isRangeOf(recorded, subnet) && !isRangeOfAnother(registry, id, recorded);
  return isOurs ? recorded : findRange(tools, registry, { id, subnet, recorded: null });
}

async function holdRules(deps: DockerSiteDeps, range: AddressRange, uplinks: readonly string[]): Promise<void> {
  const { config, id, firewalls, doors } = deps;
  const { servers } = deps.nameServers();
  const policy = policyOf({ id, range, config, nameServers: servers, uplinks, dockerBridges: dockerBridges(id) });
  await doors.apply(policy, range);
  for (const other of firewalls.slice(1)) await other.remove(id);
}

const rangePath = (folder: string): string => join(folder, 'range.json');

function readRange(folder: string): AddressRange | null {
  try {
    return JSON.parse(readFileSync(rangePath(folder), 'utf8')) as AddressRange;
  } catch {
    return null;
  }
}

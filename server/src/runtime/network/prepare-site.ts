import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import type { Log } from '../../lib/log.ts';
import { readIfThere } from '../../lib/read-if-there.ts';
import { writeInstanceNetwork } from '../instance-network-file.ts';
import { hostAddress, isRangeOf, rangeCidr, type AddressRange } from './address-range.ts';
import { ensureBridge, findUplink, hasBridge, removeBridge, switchForwardingOn } from './bridge.ts';
import type { Doors } from './doors.ts';
import { policyOf, type Firewall } from './firewall/firewall.ts';
import type { HostTools } from './host-tools.ts';
import { findRange, forgetInstallation, listAbandoned, noteRange, withRegistry } from './installation.ts';
import type { NameServers } from './name-servers.ts';
import { listSlots, removeSlot, type NetworkSite } from './slot-network.ts';
import type { SlotRecords } from './slot-records.ts';

export interface SiteDeps {
  config: Pick<Config, 'home' | 'port' | 'tls' | 'publicUrl' | 'instances'>;
  log: Log;
  tools: HostTools;
  id: string;
  /** The first holds the rules; an earlier start may have used another. */
  firewalls: readonly [Firewall, ...Firewall[]];
  /** Where the installations of this machine are noted. */
  registry: string;
  /** Our own folder: what must be found again. */
  folder: string;
  records: SlotRecords;
  doors: Doors;
  nameServers: () => NameServers;
}

/** Everything that the networks of instances hang on; may be repeated at any time, and sets right what is not. */
export async function prepareSite(deps: SiteDeps): Promise<NetworkSite> {
  const { config, tools, id, registry, folder } = deps;
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  return withRegistry(registry, async () => {
    await removeAbandoned(deps);
    const range = (await rangeInUse(deps)) ?? (await chooseRange(deps));
    noteRange(registry, id, { home: config.home, range });
    writeFileSync(join(folder, RANGE_FILE), JSON.stringify(range));
    await ensureBridge(tools, id, range);
    const uplink = await findUplink(tools);
    await holdRules(deps, range, uplink.names);
    writeInstanceNetwork(config, { range: rangeCidr(range), hostAddress: hostAddress(range) });
    return { id, range, mtu: uplink.mtu };
  });
}

/** What instances stand on stays as it is, whatever else the machine or its settings have come to. */
async function rangeInUse({ config, tools, id, folder, records }: SiteDeps): Promise<AddressRange | null> {
  const recorded = readRange(folder);
  if (!recorded || !(await hasBridge(tools, id))) return null;
  const isLeased = [...records.list().values()].some(({ use }) => use === 'leased');
  return isLeased || isRangeOf(recorded, config.instances.subnet) ? recorded : null;
}

/** For the first time, after a restart of the machine, or with another subnet: what there was is of no use. */
async function chooseRange({ config, tools, id, folder, records, registry }: SiteDeps): Promise<AddressRange> {
  for (const slot of (await listSlots(tools, id)).keys()) await removeSlot(tools, id, slot);
  records.clear();
  return findRange(tools, registry, { id, subnet: config.instances.subnet, recorded: readRange(folder) });
}

/** Rules before routes: there is no moment at which more is open than should be. */
async function holdRules(deps: SiteDeps, range: AddressRange, uplinks: readonly string[]): Promise<void> {
  const { config, tools, id, log } = deps;
  const [, ...others] = deps.firewalls;
  const { servers, text } = deps.nameServers();
  await deps.doors.apply(policyOf({ id, range, config, nameServers: servers, uplinks }), range);
  for (const other of others) await other.remove(id);
  if (!(await switchForwardingOn(tools))) log.warn('instances cannot reach the internet: net.ipv4.ip_forward is off');
  keepText(resolvConfPath(deps.folder), text);
}

export const resolvConfPath = (folder: string): string => join(folder, 'resolv.conf');
const RANGE_FILE = 'range.json';

/** All that one installation has in the kernel. */
export async function removeSite(deps: Pick<SiteDeps, 'tools' | 'firewalls' | 'registry'>, id: string): Promise<void> {
  const { tools, firewalls, registry } = deps;
  for (const slot of (await listSlots(tools, id)).keys()) await removeSlot(tools, id, slot);
  await removeBridge(tools, id);
  for (const firewall of firewalls) await firewall.remove(id);
  forgetInstallation(registry, id);
}

async function removeAbandoned(deps: SiteDeps): Promise<void> {
  for (const id of listAbandoned(deps.registry)) {
    deps.log.warn({ id }, 'removing the networks of an installation whose folder is gone');
    await removeSite(deps, id);
  }
}

function readRange(folder: string): AddressRange | null {
  try {
    return JSON.parse(readFileSync(join(folder, RANGE_FILE), 'utf8')) as AddressRange;
  } catch {
    return null;
  }
}

/** Null: there shall be none. */
function keepText(path: string, text: string | null): void {
  if (text === null) rmSync(path, { force: true });
  else if (readIfThere(path) !== text) writeFileSync(path, text, { mode: 0o644 });
}

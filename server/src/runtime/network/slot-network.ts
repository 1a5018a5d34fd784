import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { hostAddress, macOf, RANGE_PREFIX, slotAddress, type AddressRange } from './address-range.ts';
import { NAMESPACES, NetworkFailure, type HostTools } from './host-tools.ts';
import { bridgeName, namespaceName, slotOfName, vethName } from './names.ts';

/** Where the networks of one installation hang. */
export interface NetworkSite {
  id: string;
  range: AddressRange;
  /** As the way outwards bears it. */
  mtu: number;
}

/**
 * One network: a namespace, and a cable from it to the bridge. What lies outside is switched on last, so a
 * slot whose cable is up is whole, and one that was cut short by a kill can be told.
 */
export async function makeSlot(tools: HostTools, site: NetworkSite, slot: number): Promise<void> {
  const [namespace, veth] = [namespaceName(site.id, slot), vethName(site.id, slot)];
  const address = slotAddress(site.range, slot);
  const peer = `peer name eth0 address ${macOf(address)} mtu ${site.mtu} netns ${namespace}`;
  await tools.ipBatch([
    `netns add ${namespace}`,
    `link add ${veth} mtu ${site.mtu} type veth ${peer}`,
    ...withoutIpv6(veth),
    `link set ${veth} master ${bridgeName(site.id)}`,
    `link set ${veth} type bridge_slave isolated on`,
  ]);
  await tools.ipBatch(
    [
      'link set lo up',
      ...withoutIpv6('eth0'),
      `addr add ${address}/${RANGE_PREFIX} dev eth0`,
      'link set eth0 up',
      `route add default via ${hostAddress(site.range)}`,
    ],
    namespace,
  );
  await tools.run(['ip', 'link', 'set', veth, 'up']);
}

/** The cable first: whoever is still in there is cut off at once. Harmless when there is nothing, or half of it. */
export async function removeSlot(tools: HostTools, id: string, slot: number): Promise<void> {
  const namespace = namespaceName(id, slot);
  await ignoringAbsence(tools.run(['ip', 'link', 'delete', vethName(id, slot)]));
  if (hasNamespace(id, slot)) await ignoringAbsence(tools.run(['ip', 'netns', 'delete', namespace]));
}

export function hasNamespace(id: string, slot: number): boolean {
  return existsSync(join(NAMESPACES, namespaceName(id, slot)));
}

interface LinkEntry {
  ifname: string;
  flags: string[];
  master?: string;
  linkinfo?: { info_slave_data?: { isolated?: boolean } };
}

/** All that is there of this installation, whole or not. */
export async function listSlots(tools: HostTools, id: string): Promise<Map<number, { isWhole: boolean }>> {
  const links = await tools.ipList<LinkEntry>(['-d', 'link', 'show', 'type', 'veth']);
  const namespaces = slotsOf(id, existsSync(NAMESPACES) ? readdirSync(NAMESPACES) : []);
  const found = new Map<number, { isWhole: boolean }>(namespaces.map((slot) => [slot, { isWhole: false }]));
  for (const link of links) {
    const slot = slotOfName(id, link.ifname);
    if (slot !== null) found.set(slot, { isWhole: namespaces.includes(slot) && isPluggedIn(link, id) });
  }
  return found;
}

function slotsOf(id: string, names: readonly string[]): number[] {
  return names.flatMap((name) => slotOfName(id, name) ?? []);
}

function isPluggedIn({ master, flags, linkinfo }: LinkEntry, id: string): boolean {
  return master === bridgeName(id) && flags.includes('UP') && linkinfo?.info_slave_data?.isolated === true;
}

/** No address of its own making: instances have IPv4 only. */
function withoutIpv6(link: string): string[] {
  return existsSync('/proc/sys/net/ipv6') ? [`link set ${link} addrgenmode none`] : [];
}

async function ignoringAbsence(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof NetworkFailure) || !/Cannot find device|No such file/.test(error.message)) throw error;
  }
}

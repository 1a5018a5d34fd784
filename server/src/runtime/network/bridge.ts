import { existsSync } from 'node:fs';
import { hostAddress, macOf, RANGE_PREFIX, type AddressRange } from './address-range.ts';
import { NetworkFailure, type HostTools } from './host-tools.ts';
import { bridgeName } from './names.ts';

export interface Uplink {
  /** The interfaces of the default routes. */
  names: readonly string[];
  mtu: number;
}

/**
 * What instances hang on. Made, or set right where it is there. `prefix` is how much of the range lies behind it;
 * nothing but the host's own address where that is 32.
 */
export async function ensureBridge(
  tools: HostTools,
  id: string,
  range: AddressRange,
  prefix = RANGE_PREFIX,
): Promise<void> {
  const bridge = bridgeName(id);
  const address = hostAddress(range);
  const isThere = await hasBridge(tools, id);
  await tools.ipBatch([
    // With a hardware address of its own; otherwise it takes a port's, and changes it under everybody's feet.
    ...(isThere ? [] : [`link add name ${bridge} address ${macOf(address)} type bridge mcast_snooping 0`]),
    ...(await foreignAddresses(tools, bridge, `${address}/${prefix}`)).map(
      (other) => `addr del ${other} dev ${bridge}`,
    ),
    `addr replace ${address}/${prefix} dev ${bridge}`,
    `link set ${bridge} up`,
  ]);
  if (existsSync('/proc/sys/net/ipv6')) await writeSetting(tools, `net/ipv6/conf/${bridge}/disable_ipv6`, '1');
}

export async function hasBridge(tools: HostTools, id: string): Promise<boolean> {
  const bridges = await tools.ipList<{ ifname: string }>(['link', 'show', 'type', 'bridge']);
  return bridges.some(({ ifname }) => ifname === bridgeName(id));
}

export async function removeBridge(tools: HostTools, id: string): Promise<void> {
  if (await hasBridge(tools, id)) await tools.run(['ip', 'link', 'delete', bridgeName(id)]);
}

const FORWARDING = 'net/ipv4/ip_forward';

export async function isForwarding(tools: HostTools): Promise<boolean> {
  return (await tools.run(['cat', `/proc/sys/${FORWARDING}`])).trim() === '1';
}

/** False where the machine does not let us: in most containers. */
export async function switchForwardingOn(tools: HostTools): Promise<boolean> {
  if (await isForwarding(tools)) return true;
  try {
    await writeSetting(tools, FORWARDING, '1');
  } catch (error) {
    if (!(error instanceof NetworkFailure)) throw error;
  }
  return isForwarding(tools);
}

const ETHERNET_MTU = 1500;

export async function findUplink(tools: HostTools): Promise<Uplink> {
  const routes = await tools.ipList<{ dev?: string }>(['-4', 'route', 'show', 'default']);
  const names = [...new Set(routes.flatMap(({ dev }) => dev ?? []))];
  const links = await tools.ipList<{ ifname: string; mtu: number }>(['link', 'show']);
  const mtus = links.filter(({ ifname }) => names.includes(ifname)).map(({ mtu }) => mtu);
  return { names, mtu: Math.min(ETHERNET_MTU, ...mtus) };
}

async function foreignAddresses(tools: HostTools, bridge: string, address: string): Promise<string[]> {
  const links = await tools.ipList<{
    ifname: string;
    addr_info?: { local: string; prefixlen: number }[];
  }>(['-4', 'addr']);
  const addresses = links.filter(({ ifname }) => ifname === bridge).flatMap(({ addr_info = [] }) => addr_info);
  return addresses.map(({ local, prefixlen }) => `${local}/${prefixlen}`).filter((other) => other !== address);
}

async function writeSetting(tools: HostTools, name: string, value: string): Promise<void> {
  await tools.run(['tee', `/proc/sys/${name}`], `${value}\n`);
}

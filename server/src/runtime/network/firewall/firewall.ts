import type { Config } from '../../../config.ts';
import { CLOUD_METADATA } from '../../../lib/address-ranges.ts';
import { FIRST_UID, UID_COUNT } from '../../../sandbox/uids.ts';
import { rangeCidr, type AddressRange } from '../address-range.ts';
import { bridgeName } from '../names.ts';

/** Holds who may reach whom. All it makes carries the installation's id, and nothing else is touched. */
export interface Firewall {
  name: 'nftables' | 'iptables';
  /** Puts the rules in force, in one step; those of an earlier time are replaced. */
  apply(policy: FirewallPolicy): Promise<void>;
  /** Puts other doors in force, in one step, where the rest of the policy is in force already. */
  setDoors(policy: FirewallPolicy): Promise<void>;
  /**
   * What builds send passes no more machines than so many, by which others tell it from what this machine sends. For
   * installations without a policy: it may take the place of one.
   */
  markBuilds(id: string, hops: number): Promise<void>;
  /** Harmless where there are none. */
  remove(id: string): Promise<void>;
  /** What stands in the way and is not ours to change, a sentence each. */
  obstacles(): Promise<readonly string[]>;
}

export interface FirewallPolicy {
  id: string;
  /** The interface behind which the instances are; ends with `*` where there are several, whose names begin so. */
  bridge: string;
  /** `10.213.36.0/22` */
  range: string;
  /** Ports of the host that instances may call: where the platform is reached by everybody. */
  openPorts: readonly number[];
  nameServers: readonly string[];
  /** Networks that are shut to instances. */
  closedNetworks: readonly string[];
  /** Beginnings of the names of interfaces behind which other tenants of this machine live. */
  closedInterfaces: readonly string[];
  /** Who on the host must not call instances past the edge: builds. */
  closedUids: { first: number; last: number };
  /** Docker makes the networks, and rules of its own that would be heard before ours. */
  isBehindDocker: boolean;
  doors: FirewallDoors;
}

/** The databases of this machine, by their ports. */
export interface FirewallDoors {
  /** Every instance may call them. */
  openPorts: readonly number[];
  /** Only who is in `pairs` may; whoever is no more is cut off. */
  guardedPorts: readonly number[];
  /** An address, or a network of them. */
  pairs: readonly { address: string; port: number }[];
  /** Other machines and builds may not. */
  privatePorts: readonly number[];
}

const CONTAINER_BRIDGES = ['lilac-', 'lc', 'docker', 'br-', 'virbr', 'podman', 'cni', 'lxcbr', 'lxdbr', 'incusbr'];

/** Who builds are on the host, where the platform is root. */
export const BUILD_UIDS = { first: FIRST_UID, last: FIRST_UID + UID_COUNT - 1 };

export function policyOf(options: {
  id: string;
  range: AddressRange;
  config: Pick<Config, 'port' | 'publicUrl'> & { tls: Pick<Config['tls'], 'port'> };
  nameServers: readonly string[];
  /** The interfaces that lead to the outside, which may be called anything. */
  uplinks: readonly string[];
  /** Where Docker makes the networks: how the names of their bridges begin. */
  dockerBridges?: string;
}): Omit<FirewallPolicy, 'doors'> {
  const { id, range, config, nameServers, uplinks, dockerBridges } = options;
  return {
    id,
    bridge: dockerBridges === undefined ? bridgeName(id) : `${dockerBridges}*`,
    isBehindDocker: dockerBridges !== undefined,
    range: rangeCidr(range),
    openPorts: openPortsOf(config),
    nameServers,
    closedNetworks: CLOUD_METADATA,
    closedInterfaces: CONTAINER_BRIDGES.filter((start) => !uplinks.some((name) => name.startsWith(start))),
    closedUids: BUILD_UIDS,
  };
}

/** Where the platform is reached by everybody. */
export function openPortsOf({
  port,
  publicUrl,
  tls,
}: Pick<Config, 'port' | 'publicUrl'> & { tls: Pick<Config['tls'], 'port'> }): number[] {
  return [...new Set([port, publicPort(publicUrl), tls.port ?? port])];
}

/** A proxy in front of the platform is a part of it: apps call one another by their public addresses. */
function publicPort({ port, protocol }: URL): number {
  return port ? Number(port) : protocol === 'https:' ? 443 : 80;
}

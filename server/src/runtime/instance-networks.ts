import type { InstanceNetwork } from './instance-network-file.ts';
import type { DatabaseDoor, Listener } from './runtime.ts';

/** Where instances stand in the network: each in one of its own, or all in the host's. */
export interface InstanceNetworks {
  /**
   * Takes a place for an instance; kept until `release`, also over restarts. `wantedPort` is what it gets where
   * networks are its own, `organisationId` whose databases it may reach.
   */
  lease(instanceId: string, wantedPort: number, organisationId?: string): Promise<NetworkLease>;
  release(lease: NetworkLease): Promise<void>;
  /** Everything not held by these leases is taken back. */
  sweep(held: readonly NetworkLease[]): Promise<void>;
  /** Ports on which processes of the instance listen. */
  listeners(lease: NetworkLease, pids: readonly number[]): Promise<Listener[]>;
  /** See `Runtime`. */
  setDoors(doors: readonly DatabaseDoor[]): Promise<void>;
  network(): Promise<InstanceNetwork>;
  lacking(): Promise<readonly string[]>;
}

export interface NetworkLease {
  kind: 'own' | 'shared';
  slot: number;
  host: string;
  port: number;
  /** Put before the argv of the launch. */
  enter: readonly string[];
  /** A resolv.conf to show instead of the host's; null: the host's. */
  resolvConf: string | null;
}

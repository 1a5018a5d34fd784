import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathsOf, type Config } from '../config.ts';
import { writeWhole } from '../lib/write-whole.ts';

/** Where instances stand, and where they find this machine. */
export interface InstanceNetwork {
  /** `10.213.36.0/22`; null: they share the machine's own network. */
  range: string | null;
  /** The address at which instances reach this machine. */
  hostAddress: string;
  /** Where they are on other machines too, by whose addresses they are seen here. */
  others?: {
    ranges: readonly string[];
    /** Addresses within all these ranges that are this machine's own. */
    ownAddresses: readonly string[];
  };
}

export const SHARED_NETWORK: InstanceNetwork = { range: null, hostAddress: '127.0.0.1' };

/** All that instances are seen by; none where they share the machine's own network. */
export const rangesOf = ({ range, others }: InstanceNetwork): string[] =>
  range === null ? [] : [range, ...(others?.ranges ?? [])];

/** The worker, which makes the networks, writes it down for the other processes. */
export function writeInstanceNetwork(config: Pick<Config, 'home'>, network: InstanceNetwork): void {
  const path = pathsOf(config).instanceNetwork;
  mkdirSync(dirname(path), { recursive: true });
  writeWhole(path, JSON.stringify(network));
}

/** The machine's own, where no worker has made one. */
export function readInstanceNetwork(config: Pick<Config, 'home'>): InstanceNetwork {
  try {
    return JSON.parse(readFileSync(pathsOf(config).instanceNetwork, 'utf8')) as InstanceNetwork;
  } catch {
    return SHARED_NETWORK;
  }
}

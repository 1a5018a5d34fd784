import type Docker from 'dockerode';
import { isInNetwork } from '../network/cidr.ts';
import type { InstanceSpec } from '../runtime.ts';

/** Whose network it is, and where it will be reached in it. */
export type NetworkUser = Pick<InstanceSpec, 'organisationId' | 'environmentId' | 'port'>;

/** A network of an environment, as the engine has it. */
export interface EnvironmentNetwork {
  dockerId: string;
  name: string;
  /** Of its bridge. */
  number: number;
  environmentId: string;
  organisationId: string;
  /** `10.213.36.16/28`. */
  subnet: string;
  /** Since when nobody is in it, in milliseconds; null while somebody is. */
  emptySince: number | null;
}

export const labelNames = {
  installation: 'lilac.installation',
  organisation: 'lilac.organisation',
  environment: 'lilac.environment',
  deployment: 'lilac.deployment',
  instance: 'lilac.instance',
  number: 'lilac.network',
} as const;

/** The networks of this installation that are there: what the engine keeps is what counts. */
export async function readNetworks(engine: Docker, installation: string): Promise<EnvironmentNetwork[]> {
  const label = [`${labelNames.installation}=${installation}`];
  const found = await engine.listNetworks({ filters: { label } });
  return found.map(({ Id, Name, Labels = {}, IPAM }) => ({
    dockerId: Id,
    name: Name,
    number: Number(Labels[labelNames.number]),
    environmentId: Labels[labelNames.environment] ?? '',
    organisationId: Labels[labelNames.organisation] ?? '',
    subnet: IPAM?.Config?.[0]?.Subnet ?? '',
    emptySince: Date.now(),
  }));
}

/** Which addresses of the networks are given to whom. */
export class AddressBook {
  readonly #given = new Set<string>();
  readonly #last = new Map<string, number>();

  note(address: string): void {
    this.#given.add(address);
  }

  forget(address: string): void {
    this.#given.delete(address);
  }

  hasAnyIn(subnet: string): boolean {
    return [...this.#given].some((address) => isInNetwork(address, subnet));
  }

  /**
   * The one after the last, round and round: who still calls an address of before calls nobody. Null where all are
   * given.
   */
  take(subnet: string, addresses: readonly string[]): string | null {
    const first = this.#last.get(subnet) ?? -1;
    for (let step = 1; step <= addresses.length; step++) {
      const index = (first + step) % addresses.length;
      const address = addresses[index]!;
      if (this.#given.has(address)) continue;
      this.#given.add(address);
      this.#last.set(subnet, index);
      return address;
    }
    return null;
  }
}

import type Docker from 'dockerode';
import type { NetworkLease } from '../instance-networks.ts';
import { addressesOf, isInNetwork } from '../network/cidr.ts';
import { findSubnet, withRegistry } from '../network/installation.ts';
import { dockerBridges } from '../network/names.ts';
import type { InstanceSpec } from '../runtime.ts';
import { isConflict, isNotFound } from './engine-errors.ts';
import { AddressBook, labelNames, readNetworks, type EnvironmentNetwork } from './network-book.ts';
import type { DockerSite, DockerSiteDeps } from './prepare-docker-site.ts';

export type EnvironmentNetworksDeps = Pick<DockerSiteDeps, 'config' | 'log' | 'tools' | 'id' | 'registry'> & {
  engine: Docker;
  /** Other networks are there now: doors follow. */
  onChange(): Promise<void>;
};

/** Whose network it is, and where it will be reached. */
type Guest = Pick<InstanceSpec, 'organisationId' | 'environmentId' | 'port'>;

/**
 * Thirteen instances, the machine's own address, and the two that no network can give; who has more gets another one.
 */
const PREFIX = 28;
/** One that sleeps is woken faster where its network still is, and its addresses are nobody else's for so long. */
const LINGER_MS = 10 * 60_000;

/** A network of Docker for each environment with instances on this machine. */
export class EnvironmentNetworks {
  readonly #deps: EnvironmentNetworksDeps;
  readonly #book = new AddressBook();
  #networks: EnvironmentNetwork[] = [];
  /** The engine is asked to remove them: nobody is to be put in there. */
  readonly #leaving = new Set<EnvironmentNetwork>();
  #making: Promise<unknown> = Promise.resolve();

  constructor(deps: EnvironmentNetworksDeps) {
    this.#deps = deps;
  }

  /** Finds those that are there. */
  async open(): Promise<void> {
    this.#networks = await readNetworks(this.#deps.engine, this.#deps.id);
    for (const network of this.#networks) if (this.#book.hasAnyIn(network.subnet)) network.emptySince = null;
    await this.#deps.onChange();
  }

  list(): readonly EnvironmentNetwork[] {
    return this.#networks;
  }

  /** Takes an address for an instance, in a network that is made where there is none. */
  async lease(spec: Guest, site: DockerSite): Promise<{ lease: NetworkLease; network: string }> {
    const found = this.#takeIn(spec) ?? (await this.#inTurn(async () => this.#takeIn(spec) ?? this.#add(spec, site)));
    const { network, address } = found;
    const lease = { kind: 'own' as const, slot: 0, host: address, port: spec.port, enter: [], resolvConf: null };
    return { lease, network: network.name };
  }

  release({ host }: Pick<NetworkLease, 'host'>): void {
    this.#book.forget(host);
    const network = this.#networks.find(({ subnet }) => isInNetwork(host, subnet));
    if (network && !this.#book.hasAnyIn(network.subnet)) network.emptySince = Date.now();
  }

  /** These are taken, whoever took them. */
  note(leases: readonly Pick<NetworkLease, 'host'>[]): void {
    for (const { host } of leases) {
      this.#book.note(host);
      const network = this.#networks.find(({ subnet }) => isInNetwork(host, subnet));
      if (network) network.emptySince = null;
    }
  }

  /**
   * Removes those in which nobody has been for a while. What the engine does not remove now stays known, and is tried
   * again.
   */
  async removeEmpty(lingerMs = LINGER_MS): Promise<void> {
    await this.#inTurn(async () => {
      const latest = Date.now() - lingerMs;
      const over = this.#networks.filter(({ emptySince }) => emptySince !== null && emptySince <= latest);
      if (over.length === 0) return;
      for (const network of over) this.#leaving.add(network);
      try {
        await Promise.all(over.map((network) => this.#remove(network)));
      } finally {
        this.#leaving.clear();
      }
      await this.#deps.onChange();
    });
  }

  #takeIn(spec: Guest): { network: EnvironmentNetwork; address: string } | null {
    for (const network of this.#networks) {
      // Doors to databases are the network's: whose it is must be certain.
      const isTheirs = network.organisationId === spec.organisationId && network.environmentId === spec.environmentId;
      if (!isTheirs || this.#leaving.has(network)) continue;
      const address = this.#book.take(network.subnet, usableOf(network.subnet));
      if (address === null) continue;
      network.emptySince = null;
      return { network, address };
    }
    return null;
  }

  async #add(spec: Guest, site: DockerSite) {
    const { registry, tools, id, config } = this.#deps;
    const network = await withRegistry(registry, async () => {
      await this.#learn();
      const taken = this.#networks.map(({ subnet }) => subnet);
      const { subnet } = config.instances;
      const chosen = await findSubnet(tools, registry, { id, subnet, range: site.range, taken, prefix: PREFIX });
      return this.#create(spec, chosen, site);
    });
    this.#networks.push(network);
    // With its doors: they are there before the first instance is.
    await this.#deps.onChange();
    const address = this.#book.take(network.subnet, usableOf(network.subnet))!;
    return { network, address };
  }

  /** Whatever the engine has of ours counts, also where its answer was lost: no number is given twice. */
  async #learn(): Promise<void> {
    const known = new Set(this.#networks.map(({ dockerId }) => dockerId));
    const there = await readNetworks(this.#deps.engine, this.#deps.id);
    this.#networks.push(...there.filter(({ dockerId }) => !known.has(dockerId)));
  }

  async #create(spec: Guest, subnet: string, { mtu }: DockerSite): Promise<EnvironmentNetwork> {
    const { engine, id } = this.#deps;
    const numbers = new Set(this.#networks.map((network) => network.number));
    const number = Array.from({ length: numbers.size + 1 }, (_, index) => index).find((each) => !numbers.has(each))!;
    const { environmentId, organisationId } = spec;
    const name = `lilac-${environmentId}-${id}-${number}`;
    const created = await engine.createNetwork({
      Name: name,
      Driver: 'bridge',
      EnableIPv6: false,
      IPAM: { Driver: 'default', Config: [{ Subnet: subnet, Gateway: addressesOf(subnet)[1]! }] },
      Options: {
        'com.docker.network.bridge.name': dockerBridges(id) + number,
        'com.docker.network.driver.mtu': String(mtu),
      },
      Labels: {
        [labelNames.installation]: id,
        [labelNames.number]: String(number),
        [labelNames.environment]: environmentId,
        [labelNames.organisation]: organisationId,
      },
    });
    return { dockerId: created.id, name, number, environmentId, organisationId, subnet, emptySince: null };
  }

  async #remove(network: EnvironmentNetwork): Promise<void> {
    const { dockerId, name } = network;
    try {
      await this.#deps.engine.getNetwork(dockerId).remove();
    } catch (error) {
      if (!isNotFound(error)) {
        if (!isConflict(error)) this.#deps.log.warn({ err: error, network: name }, 'a network cannot be removed yet');
        return;
      }
    }
    this.#networks = this.#networks.filter((each) => each !== network);
  }

  /** One after another: two must not make the same network, nor one while another removes it. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#making.then(work);
    this.#making = turn.catch(() => undefined);
    return turn;
  }
}

/** Without the network's own, the gateway's and the one for all. */
const usableOf = (subnet: string): string[] => addressesOf(subnet).slice(2, -1);

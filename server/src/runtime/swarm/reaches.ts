import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';
import type { Config } from '../../config.ts';
import { holdsAddress, NOT_PUBLIC, toBlockList } from '../../lib/address-ranges.ts';
import type { InstanceNetwork } from '../instance-network-file.ts';
import { openPortsOf } from '../network/firewall/firewall.ts';
import type { DatabaseDoor } from '../runtime.ts';
import type { SwarmEngine } from './engine.ts';
import type { Reach } from './init/agreement.ts';
import { addressOf, type SwarmNode } from './swarm-tasks.ts';

export interface ReachesDeps {
  engine: Pick<SwarmEngine, 'address' | 'nodes' | 'bridges'>;
  config: Pick<Config, 'port' | 'publicUrl' | 'tls' | 'domains' | 'runtime'>;
}

/** Who may come to instances, and where they may go. */
export class Reaches {
  readonly #deps: ReachesDeps;
  /** Undefined until somebody who has read the store says it. */
  #doors: { doors: readonly DatabaseDoor[]; host: string; addresses: readonly string[] } | undefined;
  #host: Promise<string> | undefined;
  #machines: readonly string[] = [];

  constructor(deps: ReachesDeps) {
    this.#deps = deps;
  }

  /** The address of this machine as the others of the cluster see it. */
  host(): Promise<string> {
    if (!this.#host) {
      this.#host = this.#deps.engine.address().then(ownAddressTowards);
      // An engine that is away now may answer later.
      this.#host.catch(() => (this.#host = undefined));
    }
    return this.#host;
  }

  /**
   * Where databases of this machine see instances come from: their machines', and on this one those of its own bridges.
   */
  async network(): Promise<InstanceNetwork> {
    const { engine, config } = this.#deps;
    const hostAddress = await this.host();
    await this.see(await engine.nodes());
    const { clusterRange } = config.runtime;
    const [range, ...ranges] = clusterRange ? [clusterRange] : this.#machines.map((address) => `${address}/32`);
    const bridges = await engine.bridges();
    const others = {
      ranges: [...ranges, ...bridges.map(({ subnet }) => subnet)],
      ownAddresses: bridges.map(({ gateway }) => gateway),
    };
    return { range: range ?? `${hostAddress}/32`, hostAddress, others };
  }

  /** `addresses`: all that machines of the platform have. */
  async setDoors(
    doors: readonly DatabaseDoor[],
    host: string | undefined,
    addresses: readonly string[] = [],
  ): Promise<void> {
    this.#doors = { doors, host: host ?? (await this.host()), addresses };
  }

  /** False while nobody has said which doors there are: who knows some is not to forget them. */
  isKnown(): boolean {
    return this.#doors !== undefined;
  }

  async see(nodes: ReadonlyMap<string, SwarmNode>): Promise<void> {
    this.#machines = [...new Set([...[...nodes.values()].map(addressOf), await this.host()])].toSorted();
  }

  async of(organisationId: string): Promise<Reach> {
    if (this.#machines.length === 0) await this.see(await this.#deps.engine.nodes());
    const { config } = this.#deps;
    const { clusterRange } = config.runtime;
    const { doors, host, addresses } = this.#doors ?? { doors: [], host: await this.host(), addresses: [] };
    const own = doors.filter((door) => door.organisationId === null || door.organisationId === organisationId);
    const outside = config.domains.publicAddresses?.filter((address) => isIPv4(address));
    const cluster = [...new Set([...(clusterRange ? [clusterRange] : []), ...this.#machines, host])];
    const known = outside ?? this.#machines;
    return {
      cluster,
      edges: { addresses: [...new Set([...known, ...worldly(addresses, cluster)])], ports: openPortsOf(config) },
      host,
      doors: [...new Set(own.map(({ port }) => port))],
    };
  }
}

/** By which a program would reach a machine as it reaches the world. What is not the world's is shut to it anyway. */
function worldly(addresses: readonly string[], cluster: readonly string[]): string[] {
  const shut = toBlockList([...NOT_PUBLIC, ...cluster]);
  return addresses.filter((address) => isIPv4(address) && holdsAddress(shut, address) === false);
}

/** No packet is sent: the kernel only says which of its addresses it would take. */
async function ownAddressTowards(address: string): Promise<string> {
  const socket = createSocket('udp4');
  try {
    socket.connect(9, address);
    await once(socket, 'connect');
    return socket.address().address;
  } finally {
    socket.close();
  }
}

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseDoor } from '../runtime.ts';
import type { SwarmEngine } from './engine.ts';
import type { Reach } from './init/agreement.ts';
import { addressOf } from './swarm-tasks.ts';

export interface ReachesDeps {
  engine: SwarmEngine;
  /** `LILAC_CLUSTER_RANGE`; null: the machines of the swarm, and this one. */
  clusterRange: string | null;
  /** Where doors are written down, so that the next process knows them from the start. */
  file: string;
}

/** Who may come to instances, and where they may go. */
export class Reaches {
  readonly #deps: ReachesDeps;
  #doors: readonly DatabaseDoor[] | undefined;
  #host: Promise<string> | undefined;
  #cluster: readonly string[] = [];

  constructor(deps: ReachesDeps) {
    this.#deps = deps;
  }

  /** The address of this machine as the others of the cluster see it. */
  host(): Promise<string> {
    return (this.#host ??= this.#deps.engine.address().then(ownAddressTowards));
  }

  async range(): Promise<string> {
    return this.#deps.clusterRange ?? `${await this.host()}/32`;
  }

  setDoors(doors: readonly DatabaseDoor[]): void {
    const { file } = this.#deps;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.new`, JSON.stringify(doors));
    renameSync(`${file}.new`, file);
    this.#doors = doors;
  }

  /** True when the cluster has changed since it was looked at. */
  async look(): Promise<boolean> {
    const nodes = [...(await this.#deps.engine.nodes()).values()].map(addressOf);
    const { clusterRange } = this.#deps;
    const now = [...(clusterRange ? [clusterRange] : []), ...nodes, await this.host()].toSorted();
    const isNew = now.join() !== this.#cluster.join();
    this.#cluster = now;
    return isNew;
  }

  async of(organisationId: string): Promise<Reach> {
    if (this.#cluster.length === 0) await this.look();
    this.#doors ??= readDoors(this.#deps.file);
    const own = this.#doors.filter((door) => door.organisationId === null || door.organisationId === organisationId);
    return { cluster: [...this.#cluster], host: await this.host(), doors: [...new Set(own.map(({ port }) => port))] };
  }
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

function readDoors(file: string): DatabaseDoor[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as DatabaseDoor[];
  } catch {
    return [];
  }
}

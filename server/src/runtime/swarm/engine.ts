import type Docker from 'dockerode';
import { isIPv4 } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { engineClient } from '../engine-client.ts';
import { STACK_IMAGE } from '../stack-image.ts';
import { serviceSpec, type ServiceParts } from './service-spec.ts';
import type { SwarmNode, SwarmTask } from './swarm-tasks.ts';

export interface SwarmService {
  ID: string;
  Version: { Index: number };
  Spec: { Name: string; Labels: Record<string, string>; Mode: { Replicated: { Replicas: number } } };
}

const TRIES = 20;
/** So many services are named in one address, which the engine takes up to a mebibyte of. */
const PORTION = 500;
/** A machine that is silent for three of these is lost. */
const BEAT_NANOSECONDS = 2e9;

/** The swarm, as far as this platform's services go. */
export class SwarmEngine {
  readonly #docker: Docker;
  readonly #platform: string;

  constructor(socketPath: string, platform: string, { silenceMs }: { silenceMs?: number } = {}) {
    this.#docker = engineClient(socketPath, silenceMs);
    this.#platform = platform;
  }

  /** Where this engine's machine is in the cluster. Rejects with a sentence where there is no swarm. */
  async address(): Promise<string> {
    const { Swarm } = (await this.#docker.info()) as { Swarm: { NodeAddr: string; ControlAvailable: boolean } };
    if (Swarm.ControlAvailable) return Swarm.NodeAddr;
    throw new Error(
      'LILAC_RUNTIME is swarm, but the engine is no manager of one: run `docker swarm init`, or name a manager in LILAC_DOCKER_HOST.',
    );
  }

  /** The networks in which tasks on this engine's own machine are. */
  async bridges(): Promise<{ subnet: string; gateway: string }[]> {
    const found = (await this.#docker.getNetwork('bridge').inspect()) as {
      IPAM: { Config: { Subnet?: string; Gateway?: string }[] };
    };
    return found.IPAM.Config.flatMap(({ Subnet: subnet = '', Gateway: gateway = '' }) =>
      isIPv4(gateway) ? [{ subnet, gateway }] : [],
    );
  }

  async imageId(): Promise<string> {
    try {
      return (await this.#docker.getImage(STACK_IMAGE).inspect()).Id;
    } catch (error) {
      if (statusOf(error) !== 404) throw error;
      throw new Error(
        `The image ${STACK_IMAGE} is not on this machine: load it on every machine of the swarm (deploy/stack).`,
        {
          cause: error,
        },
      );
    }
  }

  /** A lost machine is to be noticed soon. */
  async hurryBeats(): Promise<void> {
    const { Spec, Version } = (await this.#docker.swarmInspect()) as {
      Spec: { Dispatcher?: { HeartbeatPeriod?: number } };
      Version: { Index: number };
    };
    if ((Spec.Dispatcher?.HeartbeatPeriod ?? Infinity) <= BEAT_NANOSECONDS) return;
    const Dispatcher = { ...Spec.Dispatcher, HeartbeatPeriod: BEAT_NANOSECONDS };
    await this.#docker.swarmUpdate({ version: Version.Index, ...Spec, Dispatcher });
  }

  async services(): Promise<SwarmService[]> {
    return (await this.#docker.listServices({ filters: this.#ours() })) as unknown as SwarmService[];
  }

  /** Of a service that has just been removed there are none: the engine refuses to list what it does not know. */
  async tasks(serviceIds: readonly string[]): Promise<SwarmTask[]> {
    const found: SwarmTask[] = [];
    for (let from = 0; from < serviceIds.length; from += PORTION) {
      found.push(...(await this.#tasksOf(serviceIds.slice(from, from + PORTION))));
    }
    return found;
  }

  async #tasksOf(serviceIds: readonly string[]): Promise<SwarmTask[]> {
    let left = serviceIds;
    for (let attempt = 1; left.length > 0; attempt++) {
      try {
        return (await this.#docker.listTasks({ filters: JSON.stringify({ service: left }) })) as SwarmTask[];
      } catch (error) {
        if (statusOf(error) !== 404 || attempt === TRIES) throw error;
      }
      // One of them is no more, and perhaps not the only one.
      const there = new Set((await this.services()).map(({ ID }) => ID));
      left = left.filter((id) => there.has(id));
    }
    return [];
  }

  async nodes(): Promise<Map<string, SwarmNode>> {
    const found = (await this.#docker.listNodes()) as SwarmNode[];
    return new Map(found.map((node) => [node.ID, node]));
  }

  async find(name: string): Promise<SwarmService | null> {
    const filters = JSON.stringify({ name: [name] });
    const found = (await this.#docker.listServices({ filters })) as unknown as SwarmService[];
    return found.find(({ Spec }) => Spec.Name === name) ?? null;
  }

  async createService(parts: Omit<ServiceParts, 'platform' | 'imageId'>): Promise<SwarmService> {
    const spec = serviceSpec({ ...parts, imageId: await this.imageId(), platform: this.#platform });
    await this.#docker.createService(spec as unknown as Docker.CreateServiceOptions).catch(unlessThere);
    return this.#sure(await this.find(parts.name), parts.name);
  }

  /**
   * Asks what is to become of it, and asks again when somebody else was faster. Null: nothing. What is gone stays so.
   */
  async change(id: string, decide: (service: SwarmService) => Promise<ServiceChange | null>): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const found = this.#docker.getService(id);
      const service = (await found.inspect().catch(unlessMissing)) as SwarmService | undefined;
      const change = service && (await decide(service));
      if (!change) return;
      const { Spec, Version } = service;
      const next = {
        ...Spec,
        Labels: change.labels ?? Spec.Labels,
        Mode: { Replicated: { Replicas: change.replicas } },
      };
      try {
        await found.update({ version: Version.Index, ...next });
        return;
      } catch (error) {
        if (attempt === TRIES || !/out of sequence/.test(String(error))) throw error;
        await delay(10 * attempt);
      }
    }
  }

  /** With what only it could read. */
  async removeService({ ID, Spec }: SwarmService): Promise<void> {
    await this.#docker.getService(ID).remove().catch(unlessMissing);
    await this.removeSecret(Spec.Name);
  }

  async removeSecret(name: string): Promise<void> {
    const found = (await this.#docker.listSecrets({ filters: { name: [name] } })) as Named[];
    const secret = found.find(({ Spec }) => Spec.Name === name);
    if (secret) await this.#docker.getSecret(secret.ID).remove().catch(unlessMissing);
  }

  /** The id of the object, which is made unless it is there. The name says the content. */
  async secret(name: string, data: Buffer): Promise<{ id: string; name: string }> {
    const made = { Name: name, Data: data.toString('base64'), Labels: { 'lilac.platform': this.#platform } };
    await this.#docker.createSecret(made).catch(unlessThere);
    const found = (await this.#docker.listSecrets({ filters: { name: [name] } })) as Named[];
    return this.#named(found, name);
  }

  async config(name: string, data: Buffer): Promise<{ id: string; name: string }> {
    const made = { Name: name, Data: data.toString('base64'), Labels: { 'lilac.platform': this.#platform } };
    await this.#docker.createConfig(made).catch(unlessThere);
    const found = (await this.#docker.listConfigs({ filters: { name: [name] } })) as Named[];
    return this.#named(found, name);
  }

  /** Of services that are gone. */
  async sweepSecrets(services: readonly SwarmService[]): Promise<void> {
    const kept = new Set(services.map(({ Spec }) => Spec.Name));
    const found = (await this.#docker.listSecrets({ filters: this.#ours() })) as Named[];
    for (const { Spec } of found) if (!kept.has(Spec.Name)) await this.removeSecret(Spec.Name);
  }

  /** Of former versions: those that a service still has the engine keeps. */
  async sweepConfigs(current: string): Promise<void> {
    const found = (await this.#docker.listConfigs({ filters: this.#ours() })) as Named[];
    const former = found.filter(({ Spec }) => Spec.Name !== current);
    for (const { ID } of former) await this.#docker.getConfig(ID).remove().catch(unlessInUse);
  }

  #ours() {
    return { label: [`lilac.platform=${this.#platform}`] };
  }

  #named(found: readonly Named[], name: string): { id: string; name: string } {
    const { ID: id } = this.#sure(
      found.find(({ Spec }) => Spec.Name === name),
      name,
    );
    return { id, name };
  }

  #sure<T>(found: T | null | undefined, name: string): T {
    if (found) return found;
    throw new Error(`${name} was made in the swarm and is not there`);
  }
}

export interface ServiceChange {
  replicas: number;
  labels?: Record<string, string>;
}

interface Named {
  ID: string;
  Spec: { Name: string };
}

const statusOf = (error: unknown): number | undefined => (error as { statusCode?: number }).statusCode;

function unlessThere(error: unknown): void {
  if (statusOf(error) !== 409) throw error;
}

function unlessMissing(error: unknown): void {
  if (statusOf(error) !== 404) throw error;
}

function unlessInUse(error: unknown): void {
  if (statusOf(error) !== 404 && !/in use/.test(String(error))) throw error;
}

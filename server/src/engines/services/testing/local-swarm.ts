import { readdirSync } from 'node:fs';
import { readConfig, type Environment } from '../../../config.ts';
import type { RuntimeSettings } from '../../../config/runtime-settings.ts';
import { run } from '../../../lib/exec.ts';
import { startLocalEngine, type LocalEngine } from '../../../runtime/docker/testing/local-engine.ts';
import { labelNames } from '../service-spec.ts';

/** A swarm of this machine alone, whose engine sees the same files and the same network as the tests. */
export interface LocalSwarm extends AsyncDisposable {
  engine: LocalEngine;
  nodeId: string;
  /** Of a platform that uses it. */
  settings: Environment;
  runtime: RuntimeSettings;
  /** The main process of a server that runs as a service. */
  mainPid(serverId: string): Promise<number>;
  /** Services and containers of a server. */
  remains(serverId: string): Promise<string[]>;
  /** `drain`: the swarm ends what it runs on this machine, and starts nothing. */
  setAvailability(availability: 'active' | 'drain'): Promise<void>;
}

/** What a swarm makes on its machine, and leaves there. */
const GATEWAY = 'docker_gwbridge';

export async function startLocalSwarm(): Promise<LocalSwarm> {
  const engine = await startLocalEngine();
  // Only now: the engine of another test, whose turn it was, may have had one.
  const hadGateway = hasLink(GATEWAY);
  const { docker, socketPath } = engine;
  const end = async () => {
    await docker.swarmLeave({ force: true }).catch(() => {});
    await engine[Symbol.asyncDispose]();
    if (!hadGateway) await run(['ip', 'link', 'delete', GATEWAY], { env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' } });
  };
  try {
    await docker.swarmInit({ ListenAddr: '127.0.0.1:2377', AdvertiseAddr: '127.0.0.1' });
  } catch (error) {
    await end();
    throw error;
  }
  const { Swarm } = (await docker.info()) as { Swarm: { NodeID: string } };
  const settings = { LILAC_RUNTIME: 'swarm', LILAC_DOCKER_HOST: `unix://${socketPath}` };
  return {
    engine,
    nodeId: Swarm.NodeID,
    settings,
    runtime: readConfig(settings).runtime,
    async mainPid(serverId) {
      const [found] = await docker.listContainers({ filters: filtersOf(serverId) });
      if (!found) throw new Error(`${serverId} does not run`);
      return (await docker.getContainer(found.Id).inspect()).State.Pid;
    },
    async remains(serverId) {
      const [services, containers] = await Promise.all([
        docker.listServices({ filters: filtersOf(serverId) }),
        docker.listContainers({ all: true, filters: filtersOf(serverId) }),
      ]);
      return [...services.map(({ ID }) => ID), ...containers.map(({ Id }) => Id)];
    },
    async setAvailability(Availability) {
      const node = docker.getNode(Swarm.NodeID);
      const { Version, Spec } = (await node.inspect()) as { Version: { Index: number }; Spec: object };
      await node.update({ version: Version.Index, ...Spec, Availability } as object);
    },
    [Symbol.asyncDispose]: end,
  };
}

const filtersOf = (serverId: string) => ({ label: [`${labelNames.server}=${serverId}`] });

const hasLink = (name: string): boolean => readdirSync('/sys/class/net').includes(name);
